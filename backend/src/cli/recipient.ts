import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { DASHBOARD_APP_KEY } from '../modules/people/dashboard-application.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatBlock } from './output.js';
import { operatorCommand } from '../platform/config/operator-command.js';

export function complete(group: Command, context: Context): void {
  withExamples(group, ['erase --to ana@example.com']);
  addErase(group, context);
}

function addErase(group: Command, context: Context): void {
  const description = 'erase all data that is stored about a phone number or email address; this cannot be undone';
  const examples = ['--to ana@example.com', '--to +14155550123 --app APP_KEY'];
  const erase = addCommand(group, 'erase', description, examples)
    .requiredOption('--to <RECIPIENT>', 'phone number with country code, or email address')
    .option('--app <APP_KEY>', 'erase only in this application (default: in all applications)');
  addAction(erase, context, async ({ to, app }: { to: string; app?: string }) => {
    const { applications, erasure } = await context.core();
    // Excludes the dashboard by default: erasing a recipient must not turn off the second factor of a dashboard user.
    const customers = async () =>
      (await applications.service.list()).filter(({ appKey }) => appKey !== DASHBOARD_APP_KEY);
    const among = app === undefined ? await customers() : [await applications.service.load(app)];
    const result = await erasure.service.erase(OPERATOR, among, to);
    if (!result) throw new OperatorError('this is neither a phone number with its country code nor an email address');
    const { erased } = result;
    const testRecipientOf = result.testRecipientOf.map(({ appKey }) => appKey);
    const lines = [
      ['Verification codes', erased.codes],
      ['Users', erased.users],
      ['Messages', erased.messages],
      ['Second factors', erased.secondFactors],
      ['Fraud guard', erased.fraudRecords],
      ['Shop events', erased.shopEvents],
      ['Suppressions and opt-outs', erased.suppressions],
    ] as const;
    const counts = `Erased:\n${formatBlock(lines.map(([name, count]) => [name, String(count)]))}`;
    const rest = testRecipientOf.map(
      (appKey) =>
        `\nIt is still a test recipient. To remove it, run: ${operatorCommand()} app update ${appKey} --test-recipient "${to}="`,
    );
    return { data: { ...erased, testRecipientOf }, text: counts + rest.join('') };
  });
}
