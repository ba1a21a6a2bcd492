/** `passbell two-factor`: help for users who have lost their authenticator. */
import type { Command } from 'commander';
import { withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, type OutputOptions } from './output.js';
import { accountEmail } from './parse.js';

interface ResetOptions extends OutputOptions {
  readonly app: string;
  readonly identity: string;
}

export function addTwoFactorCommands(program: Command, context: Context): void {
  const twoFactor = program.command('two-factor').description("second factors of an application's users");
  withExamples(twoFactor, ['reset --app APP_KEY --identity ana@example.com']);
  const reset = twoFactor
    .command('reset')
    .description('turn two-factor off for a user who has lost the authenticator; make sure who asks')
    .requiredOption('--app <APP_KEY>', 'key of the application')
    .requiredOption('--identity <EMAIL>', 'mail address of the user', accountEmail)
    .option(...JSON_OPTION)
    .action(async ({ app, identity, ...output }: ResetOptions) => {
      const service = await context.service();
      const application = await service.applications.existing(app);
      const wasOn = await service.twoFactor.reset(application, identity);
      const text = wasOn ? `Two-factor is off for ${identity}.` : `Two-factor was not on for ${identity}.`;
      answer(context, output, { identity, wasOn }, text);
    });
  withExamples(reset, ['--app APP_KEY --identity ana@example.com']);
}
