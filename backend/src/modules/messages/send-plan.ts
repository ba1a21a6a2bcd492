/** Where a message goes: the recipient in its one form, and the channels in the order in which they are tried. */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../applications/application.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import type { Outcome } from './message.js';
import { parseRecipient, phoneDigits, type Recipient } from '../recipients/recipient.js';

export interface SendPlan {
  /** E.164 number or mail address. */
  readonly address: string;
  /** What all spellings of the recipient share. */
  readonly limitKey: string;
  /** At least one. */
  readonly channels: readonly ChannelName[];
  /** The fixed code of a test recipient, to whom nothing is sent. */
  readonly testCode: string | undefined;
}

const AUTH_WAYS: Readonly<Record<string, ChannelName>> = {
  SMS: 'SMS',
  WHATSAPP: 'WHATSAPP',
  VOICE: 'VOICE',
  VOICECALL: 'VOICE',
  CALL: 'VOICE',
  EMAIL: 'EMAIL',
};

/** The channel that the caller named, in any spelling that the contract allows. */
export function channelOf(authWay: string): ChannelName {
  const channel = AUTH_WAYS[authWay.toUpperCase()];
  if (!channel) throw new ApiError('INVALID_AUTH_WAY');
  return channel;
}

/** A test number need not exist, so it is looked up before the number is judged. */
function testRecipient(application: Application, to: string): { address: string; code: string } | undefined {
  const { testRecipients } = application.settings;
  const address = phoneDigits(to) ?? parseRecipient(to)?.address;
  if (address === undefined || !Object.hasOwn(testRecipients, address)) return undefined;
  return { address, code: testRecipients[address]! };
}

function refuseUndeliverable(recipient: Recipient, application: Application, channels: readonly Channel[]): void {
  const { countries } = application.settings;
  if (recipient.type === 'phone' && countries.length > 0 && !countries.includes(recipient.country ?? ''))
    throw new ApiError('COUNTRY_NOT_ALLOWED');
  // A stand-in costs nothing and reaches nobody, so numbers that are reserved for examples may be tried on it.
  if (!recipient.assigned && channels.some((channel) => !channel.standIn)) throw new ApiError('INVALID_RECIPIENT');
}

export function planSend(
  application: Application,
  request: { to: string; authWay?: string | undefined },
  configured: ReadonlyMap<ChannelName, Channel>,
): SendPlan {
  const named = request.authWay === undefined ? undefined : channelOf(request.authWay);
  const test = testRecipient(application, request.to);
  const recipient = test ? undefined : parseRecipient(request.to);
  const type = test ? (test.address.startsWith('+') ? 'phone' : 'email') : recipient?.type;
  if (type === undefined || (named && (named === 'EMAIL') !== (type === 'email')))
    throw new ApiError('INVALID_RECIPIENT');

  const wanted: readonly ChannelName[] = named ? [named] : type === 'email' ? ['EMAIL'] : application.settings.channels;
  if (test) return { address: test.address, limitKey: test.address, channels: wanted, testCode: test.code };

  const available = wanted.map((name) => configured.get(name)).filter((channel) => channel !== undefined);
  // A stand-in after a provider would turn the provider's refusal into a success that reached nobody.
  const real = available.filter((channel) => !channel.standIn);
  const channels = real.length > 0 ? real : available;
  if (channels.length === 0) throw new ApiError('CHANNEL_NOT_CONFIGURED', { values: { channel: wanted.join(', ') } });
  refuseUndeliverable(recipient!, application, channels);
  const { address, limitKey } = recipient!;
  return { address, limitKey, channels: channels.map((channel) => channel.name), testCode: undefined };
}

/** How a send to a test recipient ends: at once, and without a message. */
export const testOutcome = (channel: ChannelName): Outcome => ({
  state: 'sent',
  tried: [{ channel, success: true, message: 'test recipient, nothing sent' }],
});

/** Bounds all sends of an application together, codes and notifications. */
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
