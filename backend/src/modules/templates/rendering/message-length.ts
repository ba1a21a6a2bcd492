/** The length of messages whose price depends on it. */
import type { ChannelName } from '../../../platform/contract/channels.js';
import type { Content } from '../../../providers/provider.js';
import { smsSegments } from './gsm7.js';

/** The longest built-in text with a sample of each variable, an `order_update` in Arabic, has 12. */
export const MAX_SMS_SEGMENTS = 15;
/** Voices read about 15 characters in a second, and everything twice: a call takes less than four minutes. */
export const MAX_SPEECH_CHARACTERS = 1500;
/** Values of this length together never make a built-in text too long. */
export const SHORT_VALUES = 300;

/** How many prices the message costs: a price is for a segment of an SMS, and for a whole message on other channels. */
export const pricedParts = (channel: ChannelName, content: Content): number =>
  channel === 'SMS' && content.kind === 'text' ? smsSegments(content.text) : 1;

/** Why the message must not be sent, as the end of a sentence about it; undefined when it is short enough. */
export function lengthProblem(channel: ChannelName, content: Content): string | undefined {
  const segments = pricedParts(channel, content);
  if (segments > MAX_SMS_SEGMENTS) return `${segments} SMS long, and at most ${MAX_SMS_SEGMENTS} are allowed`;
  const length = content.kind === 'speech' ? content.sentences.join(' ').length : 0;
  if (length > MAX_SPEECH_CHARACTERS)
    return `${length} characters long, and a call reads at most ${MAX_SPEECH_CHARACTERS}`;
  return undefined;
}
