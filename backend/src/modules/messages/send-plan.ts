/** Plans sends: converts the recipient to canonical form, and selects the channels to try in order. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import type { Provider } from '../../providers/provider.js';
import type { NotVerified, Routing } from '../providers/routing.js';
import { phoneChannels, type Application } from '../applications/application.js';
import { parseRecipient, phoneDigits, type Recipient } from '../recipients/recipient.js';
import { invalidRecipient, recipientHint } from '../recipients/recipient-mistakes.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import type { Outcome } from './message.js';
import type { RefusedSend } from './refusal.js';

export interface SendPlan {
  /** E.164 number or email address. */
  readonly address: string;
  /** Key for rate limits, shared by all variants of an email address or phone number. */
  readonly limitKey: string;
  /** ISO 3166 country code; "" for email addresses, test recipients and numbers without a country. */
  readonly country: string;
  /** Channels in the order in which they are tried; never empty. */
  readonly channels: readonly ChannelName[];
  /** The fixed code of a test recipient, to whom no message is sent; undefined for other recipients. */
  readonly testCode: string | undefined;
}

/** Finds a test recipient. Does not validate the number, because test numbers need not exist. */
function testRecipient({ settings: { testRecipients } }: Application, to: string) {
  const address = phoneDigits(to) ?? parseRecipient(to)?.address;
  if (address === undefined || !Object.hasOwn(testRecipients, address)) return undefined;
  return { address, code: testRecipients[address]!, type: address.startsWith('+') ? 'phone' : 'email' } as const;
}

/**
 * Throws for numbers that cannot receive messages. Applies to the dev inbox as well, so that developers notice the
 * problem.
 */
function rejectUnsupportedKind({ rejectedKind }: Recipient): void {
  if (rejectedKind === undefined) return;
  throw new ApiError('NUMBER_NOT_ALLOWED', {
    field: 'to',
    values: { text: `This is ${rejectedKind}. Use a mobile number.` },
  });
}

function parse(application: Application, to: string) {
  const test = testRecipient(application, to);
  const recipient = test ? undefined : parseRecipient(to);
  if (!test && !recipient) throw invalidRecipient(to, recipientHint(to));
  return { test, recipient };
}

/** Throws an {@link ApiError} for a text to which nothing can be sent, on any channel. */
export function assertRecipient(application: Application, to: string): void {
  const { recipient } = parse(application, to);
  if (recipient) rejectUnsupportedKind(recipient);
}

/** The error of a send that the application's country list refuses, or that has no provider. */
export class PlanRefused extends ApiError {
  constructor(
    code: 'COUNTRY_NOT_ALLOWED' | 'CHANNEL_NOT_CONFIGURED',
    details: ApiError['details'],
    /** The recipient, and the channels that the application wanted to use. */
    readonly send: Pick<RefusedSend, 'recipient' | 'plan'>,
  ) {
    super(code, details);
  }
}

function rejectUndeliverable(recipient: Recipient, application: Application, providers: readonly Provider[]): void {
  const { countries } = application.settings;
  if (recipient.type === 'phone' && countries.length > 0 && !countries.includes(recipient.country ?? ''))
    throw new PlanRefused(
      'COUNTRY_NOT_ALLOWED',
      { field: 'to' },
      { recipient: recipient.address, plan: providers.map(({ channel }) => channel) },
    );
  // The dev inbox sends nothing, so it also accepts numbers that are reserved for examples.
  if (!recipient.assigned && providers.some(({ standIn }) => !standIn))
    throw invalidRecipient(recipient.address, 'This number is not assigned to anyone. Check its digits.');
}

/**
 * Returns the providers that can reach the recipient. Landlines are called only if the request or the application's
 * channel order names VOICE, because calls cost the most. The dev inbox accepts landlines on all channels, because it
 * costs nothing.
 */
function providersReaching(
  { landline }: Recipient,
  isVoiceNamed: boolean,
  providers: readonly Provider[],
): readonly Provider[] {
  if (!landline || providers.every(({ standIn }) => standIn)) return providers;
  const calls = providers.filter(({ channel }) => channel === 'VOICE');
  if (isVoiceNamed && calls.length > 0) return calls;
  const text = 'This is a landline. Use a mobile number, or set authWay to VOICE for a call.';
  throw new ApiError('NUMBER_NOT_ALLOWED', { field: 'to', values: { text } });
}

export type ProviderFor = Routing['providerFor'];
type Found = ReturnType<ProviderFor>;

const isNotVerified = (found: Found): found is NotVerified => typeof found === 'object' && 'notVerified' in found;
const isProvider = (found: Found): found is Provider => typeof found === 'object' && !isNotVerified(found);

function noProvider(address: string, wanted: readonly ChannelName[], found: readonly Found[]): ApiError {
  const channel = wanted.join(', ');
  const ownTexts = {
    message: `this account's own providers for ${channel} are off or cannot be used`,
    hint: "On the Channels page of the dashboard, turn a provider on, or remove all of the channel's providers to use the operator's.",
  };
  const unverified = found.find(isNotVerified);
  const unverifiedTexts = {
    message: `the provider ${unverified?.notVerified} for ${channel} is not verified`,
    hint: 'On the Channels page of the dashboard, open the provider and send a test message, or correct its settings.',
  };
  const texts = unverified ? unverifiedTexts : found.includes('unusable') ? ownTexts : {};
  const details = { field: 'authWay', values: { channel }, ...texts };
  return new PlanRefused('CHANNEL_NOT_CONFIGURED', details, { recipient: address, plan: wanted });
}

/** Plans a send. Throws an {@link ApiError} if the recipient is invalid, or no channel can reach it. */
export function planSend(
  application: Application,
  request: { to: string; authWay?: string | undefined },
  providerFor: ProviderFor,
): SendPlan {
  const named = request.authWay === undefined ? undefined : channelOf(request.authWay);
  const { test, recipient } = parse(application, request.to);
  const type = test?.type ?? recipient!.type;
  if (named && (named === 'EMAIL') !== (type === 'email')) {
    const needed = named === 'EMAIL' ? 'an email address' : 'a phone number';
    throw invalidRecipient(request.to, `The channel ${named} needs ${needed}. Change the recipient, or omit authWay.`);
  }
  if (recipient) rejectUnsupportedKind(recipient);
  const { settings } = application;
  const wanted: readonly ChannelName[] = named ? [named] : type === 'email' ? ['EMAIL'] : phoneChannels(settings);
  if (test)
    return { address: test.address, limitKey: test.address, country: '', channels: wanted, testCode: test.code };

  const { country: recipientCountry = '' } = recipient!;
  const found = wanted.map((name) => providerFor(application.accountId, name, recipientCountry));
  const available = found.filter(isProvider);
  // The dev inbox is never a fallback for a provider, because it would hide the provider's failure.
  const real = available.filter(({ standIn }) => !standIn);
  const chosen = real.length > 0 ? real : available;
  if (chosen.length === 0) throw noProvider(recipient!.address, wanted, found);
  rejectUndeliverable(recipient!, application, chosen);
  const isVoiceNamed = named === 'VOICE' || settings.channels.includes('VOICE');
  const channels = providersReaching(recipient!, isVoiceNamed, chosen).map(({ channel }) => channel);
  const { address, limitKey, country = '' } = recipient!;
  return { address, limitKey, country, channels, testCode: undefined };
}

/** Returns the outcome for a test recipient, to whom no message is sent. */
export const testOutcome = (channel: ChannelName): Outcome => ({
  state: 'sent',
  attempts: [{ channel, success: true, message: 'test recipient, nothing sent' }],
});

/** Returns the rate limit for all of an application's sends: codes and notifications. */
export function burstRule({ id, settings: { limits } }: Application): Rule {
  return {
    key: `send:${id}`,
    code: 'BURST_LIMIT',
    windows: [
      { limit: limits.burstPerSecond, seconds: 1 },
      { limit: limits.burstPerMinute, seconds: 60 },
    ],
  };
}
