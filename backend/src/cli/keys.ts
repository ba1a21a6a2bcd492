import type { Command } from 'commander';
import { TOKEN_SECONDS } from '../modules/sessions/signing-key.js';
import { addAction, addCommand, type Context } from './context.js';
import { formatTable } from './output.js';

const ROTATE_DESCRIPTION = 'create a new signing key; tokens signed with the old key stay valid until they expire';
const RESEAL_DESCRIPTION =
  're-encrypt stored secrets with the newest key in SECRET_KEY, so that you can remove older keys';

export function complete(keys: Command, context: Context): void {
  addAction(addCommand(keys, 'list', 'list the published signing keys', ['', '--json']), context, async () => {
    const { sessions } = await context.core();
    const data = (await sessions.signingKeys.list()).map((key) => ({ ...key, alg: 'ES256' }));
    const rows = data.map(({ kid, alg, signs }) => [kid, alg, signs ? 'signs and verifies' : 'verifies']);
    return { data, text: formatTable(['Key', 'Algorithm', 'Use'], rows, 'No keys yet.') };
  });

  addAction(addCommand(keys, 'rotate', ROTATE_DESCRIPTION, ['']), context, async () => {
    const { kid } = await (await context.core()).sessions.signingKeys.rotate();
    const text = `New tokens are signed with the key ${kid}. Tokens signed with the old key expire within ${TOKEN_SECONDS / 60} minutes.`;
    return { data: { kid }, text };
  });

  // Re-encrypts only long-lived secrets: all other values that depend on SECRET_KEY expire within a day.
  addAction(addCommand(keys, 'reseal', RESEAL_DESCRIPTION, ['']), context, async () => {
    const { twoFactor, applications, webhooks, providers, automations, messages } = await context.core();
    const data = {
      twoFactors: await twoFactor.service.reseal(),
      applicationSecrets: await applications.service.reseal(),
      webhooks: await webhooks.service.reseal(),
      providers: await providers.service.reseal(),
      incomingHooks: await automations.service.reseal(),
      messages: await messages.reseal(),
    };
    const text = `Re-encrypted secrets: ${data.twoFactors} for two-factor, ${data.applicationSecrets} for applications, ${data.webhooks} for webhooks, ${data.providers} for providers, ${data.incomingHooks} for connected shops, ${data.messages} for messages. You can remove older keys from SECRET_KEY after 24 hours.`;
    return { data, text };
  });
}
