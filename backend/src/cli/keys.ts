/** `passbell keys`: the keys that sign session tokens, and what SECRET_KEY seals for longer than a day. */
import type { Command } from 'commander';
import { TOKEN_SECONDS } from '../platform/limits.js';
import { withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, table, type OutputOptions } from './output.js';

export function addKeysCommands(program: Command, context: Context): void {
  const keys = program.command('keys').description('keys that sign session tokens, and what SECRET_KEY seals');
  withExamples(keys, ['list', 'rotate', 'reseal']);
  addList(keys, context);
  addRotate(keys, context);
  addReseal(keys, context);
}

function addList(keys: Command, context: Context): void {
  const list = keys
    .command('list')
    .description('show the published keys')
    .option(...JSON_OPTION)
    .action(async (output: OutputOptions) => {
      const { signingKeys } = await context.service();
      const all = (await signingKeys.list()).map((key) => ({ ...key, alg: 'ES256' }));
      const rows = all.map(({ kid, alg, signs }) => [kid, alg, signs ? 'signs and verifies' : 'verifies']);
      answer(context, output, all, all.length > 0 ? table(['Key', 'Algorithm', 'Use'], rows) : 'There is no key yet.');
    });
  withExamples(list, ['', '--json']);
}

function addRotate(keys: Command, context: Context): void {
  const rotate = keys
    .command('rotate')
    .description('make a new key sign; tokens of the old one stay valid until they end')
    .option(...JSON_OPTION)
    .action(async (output: OutputOptions) => {
      const { kid } = await (await context.service()).signingKeys.rotate();
      const text = `The key ${kid} signs from now on. Tokens of the old one end by themselves within ${TOKEN_SECONDS / 60} minutes.`;
      answer(context, output, { kid }, text);
    });
  withExamples(rotate, ['']);
}

/** Whatever else SECRET_KEY seals or hashes has ended a day later. */
function addReseal(keys: Command, context: Context): void {
  const reseal = keys
    .command('reseal')
    .description('seal with the newest key of SECRET_KEY what lasts, so that an older one can be taken off the list')
    .option(...JSON_OPTION)
    .action(async (output: OutputOptions) => {
      const { twoFactor, applications, webhooks } = await context.service();
      const done = {
        twoFactors: await twoFactor.reseal(),
        applicationSecrets: await applications.reseal(),
        webhooks: await webhooks.reseal(),
      };
      const text = `Sealed anew: ${done.twoFactors} of two-factor, ${done.applicationSecrets} of App Secrets, ${done.webhooks} of webhooks. Older keys may leave SECRET_KEY after 24 hours.`;
      answer(context, output, done, text);
    });
  withExamples(reseal, ['']);
}
