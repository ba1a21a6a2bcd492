import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { addAction, withExamples, type Context } from './context.js';

export function addUpgradeNotice(notice: Command, context: Context): void {
  withExamples(notice, ['', '--dismiss']).option(
    '--dismiss',
    'stop showing the notice here, at startup and in the dashboard',
  );
  addAction(notice, context, async ({ dismiss }: { dismiss?: boolean }) => {
    const { applications, upgrades } = await context.core();
    const stricter = dismiss
      ? await upgrades.dismiss(OPERATOR, await applications.createAccount(OPERATOR, OPERATOR_ACCOUNT))
      : await upgrades.undismissedRules();
    const lines = stricter.map(({ text }) => `- ${text}`);
    const heading = dismiss ? 'Dismissed:' : 'Stricter rules since the last upgrade:';
    const text = lines.length > 0 ? [heading, ...lines].join('\n') : 'No rules became stricter.';
    return { data: { stricter, dismissed: dismiss === true }, text };
  });
}
