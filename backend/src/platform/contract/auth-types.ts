/** Names of channels in requests and replies of the API. */
import type { ChannelName } from './channels.js';
import { ApiError } from './errors.js';
import type { Schemas } from './schemas.js';

export const AUTH_TYPES: Readonly<Record<ChannelName, Schemas['AuthType']>> = {
  EMAIL: 'Email',
  SMS: 'Sms',
  WHATSAPP: 'WHATSAPP',
  VOICE: 'Voice',
};

const AUTH_WAYS: Readonly<Record<string, ChannelName>> = {
  SMS: 'SMS',
  WHATSAPP: 'WHATSAPP',
  VOICE: 'VOICE',
  VOICECALL: 'VOICE',
  CALL: 'VOICE',
  EMAIL: 'EMAIL',
};

/** Returns the channel of an `authWay` parameter. Accepts all values in the API specification, ignoring case. */
export function channelOf(authWay: string): ChannelName {
  const channel = AUTH_WAYS[authWay.toUpperCase()];
  if (!channel) throw new ApiError('INVALID_AUTH_WAY', { field: 'authWay' });
  return channel;
}
