import type { Command } from 'commander';
import { TOKEN_SECONDS } from '../modules/sessions/signing-key.js';
import { addAction, addCommand, type Context } from './context.js';
import { formatTable } from './output.js';

const ROTATE_DESCRIPTION = 'make a new key sign; tokens of the old one stay valid until they end';
const RESEAL_DESCRIPTION =
  'seal with the newest key of SECRET_KEY what lasts, so that an older one can be taken off the list';

export function addKeysCommands(program: Command, context: Context): void {
  const description = 'keys that sign session tokens, and what SECRET_KEY seals';
  const keys = addCommand(program, 'keys', description, ['list', 'rotate', 'reseal']);

  addAction(addCommand(keys, 'list', 'show the published keys', ['', '--json']), context, async () => {
    const { signingKeys } = await context.core();
    const data = (await signingKeys.list()).map((key) => ({ ...key, alg: 'ES256' }));
    const rows = data.map(({ kid, alg, signs }) => [kid, alg, signs ? 'signs and verifies' : 'verifies']);
    return { data, text: formatTable(['Key', 'Algorithm', 'Use'], rows, 'There is no key yet.') };
  });

  addAction(addCommand(keys, 'rotate', ROTATE_DESCRIPTION, ['']), context, async () => {
    const { kid } = await (await context.core()).signingKeys.rotate();
    const text = `The key ${kid} signs from now on. Tokens of the old one end by themselves within ${TOKEN_SECONDS / 60} minutes.`;
    return { data: { kid }, text };
  });

  // Re-encrypts long-lived secrets. All other values that depend on SECRET_KEY expire within a day.
  addAction(addCommand(keys, 'reseal', RESEAL_DESCRIPTION, ['']), context, async () => {
    const { twoFactor, applications, webhooks } = await context.core();
    const [twoFactors, applicationSecrets] = [await twoFactor.reseal(), await applications.reseal()];
    const data = { twoFactors, applicationSecrets, webhooks: await webhooks.reseal() };
    const text = `Sealed anew: ${twoFactors} of two-factor, ${applicationSecrets} of App Secrets, ${data.webhooks} of webhooks. Older keys may leave SECRET_KEY after 24 hours.`;
    return { data, text };
  });
}
