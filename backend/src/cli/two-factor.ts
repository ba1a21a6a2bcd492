import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { DASHBOARD_APP_KEY } from '../modules/people/dashboard-application.js';
import { addAction, addCommand, type Context } from './context.js';
import { accountEmail } from './parse.js';

const RESET_DESCRIPTION =
  "turn off two-factor for a user who lost their authenticator app; check the person's identity first";

export function complete(group: Command, context: Context): void {
  const example = '--app APP_KEY --identity ana@example.com';
  const reset = addCommand(group, 'reset', RESET_DESCRIPTION, [example])
    .requiredOption('--app <APP_KEY>', 'App Key of the application')
    .requiredOption('--identity <EMAIL>', 'email address of the user', accountEmail);
  addAction(reset, context, async ({ app, identity }: { app: string; identity: string }) => {
    const { applications, twoFactor, people } = await context.core();
    const wasOn =
      app === DASHBOARD_APP_KEY
        ? await people.secondFactor.reset(OPERATOR, identity)
        : await twoFactor.service.resetAs(OPERATOR, await applications.service.load(app), identity);
    const text = wasOn ? `Two-factor is off for ${identity}.` : `Two-factor was not on for ${identity}.`;
    return { data: { identity, wasOn }, text };
  });
}
