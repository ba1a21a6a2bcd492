/** Checks the credentials of providers, and sends test messages. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import { ProviderError } from '../../providers/provider.js';
import type { CredentialsCheck } from '../../providers/provider-type.js';
import { requireRight, type Actor } from '../access/actor.js';
import { parseRecipient } from '../recipients/recipient.js';
import { renderOtp } from '../templates/rendering/otp.js';
import type { LiveProviders } from './live-providers.js';
import { ProviderSettingsError } from './provider-account.js';

/** `unsupported`: the type cannot check credentials without sending a message. */
export type TestedCredentials = CredentialsCheck | 'unsupported';

export type TestedMessage =
  { readonly ok: true; readonly providerId: string } | { readonly ok: false; readonly reason: string };

/** Opens a provider of the account with its secrets. Throws if there is none. */
type OpenProviderOf = (accountId: number, id: string) => Promise<ReturnType<LiveProviders['contextOf']>>;

export function createProviderChecks(open: OpenProviderOf) {
  /** Checks the credentials of a provider at its vendor, without sending a message. */
  async function check(actor: Actor, accountId: number, id: string): Promise<TestedCredentials> {
    requireRight(actor, 'own');
    const { type, settings, context } = await open(accountId, id);
    return type.check ? type.check(settings, context) : 'unsupported';
  }

  /** Sends a test code to your own phone or address, without routes, limits or retries. */
  async function sendTest(
    actor: Actor,
    accountId: number,
    id: string,
    { channel, to }: { readonly channel: ChannelName; readonly to: string },
  ): Promise<TestedMessage> {
    requireRight(actor, 'own');
    const recipient = parseRecipient(to);
    if (!recipient || (recipient.type === 'email') !== (channel === 'EMAIL'))
      throw new ProviderSettingsError('enter a phone number or an email address that fits the channel');
    const { type, settings, context } = await open(accountId, id);
    const providers = type.create(settings, context);
    try {
      const provider = providers.find((candidate) => candidate.channel === channel);
      if (!provider) throw new ProviderSettingsError(`the provider does not send on ${channel}`);
      const content = renderOtp(channel, { code: random.digits(6), minutes: 5, application: 'Passbell' });
      const message = { id: random.hex(16), applicationId: 0, to: recipient.address, content };
      return { ok: true, ...(await provider.send(message)) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { ok: false, reason: error.reason };
    } finally {
      for (const provider of providers) provider.close?.();
    }
  }

  return { check, sendTest };
}
