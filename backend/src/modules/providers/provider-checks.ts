/** Checks the credentials of providers, and sends test messages. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { HttpRequest } from '../../platform/http/exchange.js';
import { ProviderError, type OutgoingMessage } from '../../providers/provider.js';
import type { CredentialsCheck, VendorReply } from '../../providers/provider-type.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Change } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import { parseRecipient } from '../recipients/recipient.js';
import { recipientHint } from '../recipients/recipient-mistakes.js';
import { renderOtp } from '../templates/rendering/otp.js';
import { hiddenSecrets } from './hidden-secrets.js';
import type { LiveProviders } from './live-providers.js';
import { ProviderSettingsError, splitSecrets } from './provider-account.js';
import type { ProviderHealth } from './provider-health.js';

/** Maximum number of characters of a reply that are shown. */
const REPLY_LENGTH = 2000;

export interface Tested {
  /** The vendor's reply, with secrets replaced by `••••`. */
  readonly reply?: VendorReply | undefined;
}

/** `unsupported`: the type cannot check credentials without sending a message. */
export type TestedCredentials = (Tested & CredentialsCheck) | 'unsupported';

/**
 * `isOwnId`: whether `providerId` is Passbell's id, because no id is read from the vendor's reply. `isUnknown`: whether the
 * message may have been sent.
 */
export type TestedMessage = Tested &
  (
    | { readonly ok: true; readonly providerId: string; readonly isOwnId?: true }
    | { readonly ok: false; readonly reason: string; readonly isUnknown: boolean }
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

export type LoadedProvider = ReturnType<LiveProviders['contextOf']>;

/** Loads an account's provider with decrypted secrets. Throws if it does not exist. */
type LoadProvider = (accountId: number, id: string) => Promise<LoadedProvider>;

function recordingReply({ type, settings, context }: LoadedProvider) {
  const secrets = hiddenSecrets(Object.values(splitSecrets(type, settings).secret), settings);
  let reply: VendorReply | undefined;
  const onReply = ({ status, text }: VendorReply) => {
    reply = { status, text: secrets.hide(text).slice(0, REPLY_LENGTH) };
  };
  return { context: { ...context, onReply }, reply: () => reply };
}

const ENTER_NUMBER = 'enter your phone number with its country code, such as +14155550123';

function testMessage({ channel, to }: TestRecipient): OutgoingMessage {
  const isEmail = channel === 'EMAIL';
  if (to.trim() === '') throw new ProviderSettingsError(isEmail ? 'enter your email address' : ENTER_NUMBER);
  const recipient = parseRecipient(to);
  if (!recipient) throw new ProviderSettingsError(recipientHint(to));
  if ((recipient.type === 'email') !== isEmail)
    throw new ProviderSettingsError(isEmail ? 'enter an email address, such as ana@example.com' : ENTER_NUMBER);
  const { rejectedKind, assigned } = recipient;
  if (rejectedKind !== undefined)
    throw new ProviderSettingsError(`this is ${rejectedKind}; enter your own mobile number`);
  if (!assigned) throw new ProviderSettingsError('this number is not assigned to anyone; check its digits');
  const content = renderOtp(channel, { code: random.digits(6), minutes: 5, application: 'Passbell' });
  return { id: random.hex(16), applicationId: 0, to: recipient.address, content };
}

/** Checks credentials with the vendor, without sending a message. */
export type RunCheck = (provider: LoadedProvider) => Promise<TestedCredentials>;

export async function checkCredentials(provider: LoadedProvider): Promise<TestedCredentials> {
  const { type, settings } = provider;
  if (!type.check) return 'unsupported';
  const { context, reply } = recordingReply(provider);
  const checked = await type.check(settings, context);
  return { ...checked, reply: reply() };
}

/** Sends a message, and calls `observe` unless the vendor rejected only this message. */
async function sendMessage(
  provider: LoadedProvider,
  channel: ChannelName,
  message: OutgoingMessage,
  observe: (failure: ProviderError | undefined) => Promise<void>,
): Promise<TestedMessage> {
  const { context, reply } = recordingReply(provider);
  const senders = provider.type.create(provider.settings, context);
  try {
    const sender = senders.find((candidate) => candidate.channel === channel);
    if (!sender) throw new ProviderSettingsError(`the provider does not support ${channel}`);
    const { providerId } = await sender.send(message);
    await observe(undefined);
    return { ok: true, providerId, ...(providerId === message.id ? { isOwnId: true } : {}), reply: reply() };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.concerns === 'provider') await observe(error);
    return { ok: false, reason: error.reason, isUnknown: error.kind === 'unknown', reply: reply() };
  } finally {
    for (const sender of senders) sender.close?.();
  }
}

export function createProviderChecks(
  open: LoadProvider,
  inTransaction: InTransaction,
  audit: AuditService,
  health: Pick<ProviderHealth, 'recordCheck' | 'recordMessage' | 'verify'>,
  clock: Clock,
) {
  /** Checks the credentials of a stored provider. A success lets the provider send messages. */
  async function checkStored(provider: LoadedProvider): Promise<TestedCredentials> {
    const { stored, settings } = provider;
    const checked = await checkCredentials(provider);
    if (checked === 'unsupported') return checked;
    await health.recordCheck({ id: stored.id, settings }, checked);
    if (checked.ok) await health.verify(stored);
    return checked;
  }

  /** Records a test before the request, so that tests whose reply is lost are recorded as well. */
  function record(
    actor: Actor,
    { stored: { accountId, name } }: LoadedProvider,
    action: 'provider.check' | 'provider.test',
    changes: readonly Change[] = [],
  ): Promise<void> {
    return inTransaction((trx) => audit.record(trx, actor, { accountId, action, subject: name, changes }));
  }

  /** Checks a provider's credentials with the vendor, without sending a message. */
  async function check(actor: Actor, accountId: number, id: string): Promise<TestedCredentials> {
    requireRight(actor, 'own');
    const provider = await open(accountId, id);
    await record(actor, provider, 'provider.check');
    return checkStored(provider);
  }

  /**
   * Checks the credentials, and sends a test code through this provider only, without limits or retries. A success of
   * either lets the provider send messages.
   */
  async function sendTest(actor: Actor, accountId: number, id: string, recipient: TestRecipient) {
    requireRight(actor, 'own');
    const message = testMessage(recipient);
    const provider = await open(accountId, id);
    await record(actor, provider, 'provider.test', [{ name: 'channel', before: '', after: recipient.channel }]);
    const { stored, settings } = provider;
    const observe = async (failure: ProviderError | undefined): Promise<void> => {
      const now = clock.now();
      const result = failure ? { since: now, reason: failure.reason } : 'accepted';
      await health.recordMessage({ id: stored.id, settings }, recipient.channel, result, now);
      if (!failure) await health.verify(stored);
    };
    return {
      credentials: await checkStored(provider),
      message: await sendMessage(provider, recipient.channel, message, observe),
    };
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
