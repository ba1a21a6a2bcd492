/** Limits the length of messages whose price depends on it, and counts SMS segments. */
import type { ChannelName } from '../../../platform/contract/channels.js';
import type { Content } from '../../../providers/provider.js';
import { smsSegments } from './gsm7.js';

/** With sample values, the longest built-in text has 12 segments: `order_update` in Arabic. */
export const MAX_SMS_SEGMENTS = 15;
/** Voices read about 15 characters per second, and read everything twice, so a call takes less than four minutes. */
export const MAX_SPEECH_CHARACTERS = 1500;
/** Up to this total length, values never make a built-in text too long. */
export const SHORT_VALUES_LENGTH = 300;

/** The number of priced parts: the segments of an SMS, or 1 on other channels. */
export const pricedParts = (channel: ChannelName, content: Content): number =>
  channel === 'SMS' && content.kind === 'text' ? smsSegments(content.text) : 1;

/** The reason why the message is too long, worded to follow "the message is"; undefined if it is short enough. */
export function lengthProblem(channel: ChannelName, content: Content): string | undefined {
  const segments = pricedParts(channel, content);
  if (segments > MAX_SMS_SEGMENTS) return `${segments} SMS long, and at most ${MAX_SMS_SEGMENTS} are allowed`;
  const length = content.kind === 'speech' ? content.sentences.join(' ').length : 0;
  if (length > MAX_SPEECH_CHARACTERS)
    return `${length} characters long, and a call reads at most ${MAX_SPEECH_CHARACTERS}`;
  return undefined;
}
