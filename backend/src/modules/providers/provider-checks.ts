/** Checks the credentials of providers, and sends test messages. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { HttpRequest } from '../../platform/http/exchange.js';
import { ProviderError, type OutgoingMessage } from '../../providers/provider.js';
import type { CredentialsCheck, ProviderSettings, ProviderType, VendorReply } from '../../providers/provider-type.js';
import { requireRight, type Actor } from '../access/actor.js';
import { parseRecipient } from '../recipients/recipient.js';
import { renderOtp } from '../templates/rendering/otp.js';
import type { LiveProviders } from './live-providers.js';
import { ProviderSettingsError, splitSecrets } from './provider-account.js';

const HIDDEN = '••••';
/** Maximum number of characters of a reply that are shown. */
const REPLY_LENGTH = 2000;
/** A shorter secret could hide most of a reply. */
const MIN_HIDDEN_LENGTH = 4;

/** `unsupported`: the type cannot check credentials without sending a message. */
export type TestedCredentials = CredentialsCheck | 'unsupported';

export type TestedMessage = { /** Secrets are replaced by `••••`. */ readonly reply?: VendorReply | undefined } & (
  { readonly ok: true; readonly providerId: string } | { readonly ok: false; readonly reason: string }
);

/** `unsupported`: the provider type cannot show its requests. */
export type DryRun =
  | { readonly ok: true; readonly request: HttpRequest }
  | { readonly ok: false; readonly reason: string }
  | 'unsupported';

export interface TestRecipient {
  readonly channel: ChannelName;
  /** The tester's phone number or email address. */
  readonly to: string;
}

/** Loads an account's provider with decrypted secrets. Throws if it does not exist. */
type LoadProvider = (accountId: number, id: string) => Promise<ReturnType<LiveProviders['contextOf']>>;

/** Hides secrets, including their encoded forms in JSON, URLs, and HTTP and SMTP authentication. */
function hideSecrets(text: string, type: ProviderType, settings: ProviderSettings): string {
  const secrets = Object.values(splitSecrets(type, settings).secret);
  const pairs = Object.values(settings).flatMap((user) =>
    secrets.flatMap((secret) => [`${user}:${secret}`, `\0${user}\0${secret}`]),
  );
  const spellings = [
    ...secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
    ...[...secrets, ...pairs].map((secret) => Buffer.from(secret).toString('base64')),
  ];
  return spellings
    .filter(({ length }) => length >= MIN_HIDDEN_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

function testMessage({ channel, to }: TestRecipient): OutgoingMessage {
  const recipient = parseRecipient(to);
  if (!recipient || (recipient.type === 'email') !== (channel === 'EMAIL'))
    throw new ProviderSettingsError('enter a phone number or an email address that fits the channel');
  const content = renderOtp(channel, { code: random.digits(6), minutes: 5, application: 'Passbell' });
  return { id: random.hex(16), applicationId: 0, to: recipient.address, content };
}

export function createProviderChecks(open: LoadProvider) {
  /** Checks a provider's credentials with the vendor, without sending a message. */
  async function check(actor: Actor, accountId: number, id: string): Promise<TestedCredentials> {
    requireRight(actor, 'own');
    const { type, settings, context } = await open(accountId, id);
    return type.check ? type.check(settings, context) : 'unsupported';
  }

  /** Sends a test code through this provider only, without limits or retries. */
  async function sendTest(
    actor: Actor,
    accountId: number,
    id: string,
    recipient: TestRecipient,
  ): Promise<TestedMessage> {
    requireRight(actor, 'own');
    const message = testMessage(recipient);
    const { type, settings, context } = await open(accountId, id);
    let reply: VendorReply | undefined;
    const onReply = ({ status, text }: VendorReply) => {
      reply = { status, text: hideSecrets(text, type, settings).slice(0, REPLY_LENGTH) };
    };
    const providers = type.create(settings, { ...context, onReply });
    try {
      const provider = providers.find(({ channel }) => channel === recipient.channel);
      if (!provider) throw new ProviderSettingsError(`the provider does not send on ${recipient.channel}`);
      const { providerId } = await provider.send(message);
      return { ok: true, providerId, reply };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { ok: false, reason: error.reason, reply };
    } finally {
      for (const provider of providers) provider.close?.();
    }
  }

  /** Returns the request that would send a test code, with secrets replaced by `••••`. Sends nothing. */
  async function dryRun(actor: Actor, accountId: number, id: string, recipient: TestRecipient): Promise<DryRun> {
    requireRight(actor, 'own');
    const message = testMessage(recipient);
    const { type, settings, context } = await open(accountId, id);
    if (!type.dryRun) return 'unsupported';
    try {
      return { ok: true, request: type.dryRun(settings, context, message) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { ok: false, reason: error.reason };
    }
  }

  return { check, sendTest, dryRun };
}
