/** Limits the length of SMS and voice calls, whose price depends on the length, and counts SMS segments. */
import { LIST } from '../../../platform/list.js';
import type { ChannelName } from '../../../platform/contract/channels.js';
import type { Content } from '../../../providers/provider.js';
import { smsSegments, smsSize } from '../../../platform/gsm7.js';

/** The longest built-in text, `order_update` in Arabic, has 12 segments with sample values. */
export const MAX_SMS_SEGMENTS = 15;
/** Voices read about 15 characters per second, and read everything twice, so a call takes less than four minutes. */
export const MAX_SPEECH_CHARACTERS = 1500;
/** If the values of all variables together are at most this long, no built-in text exceeds a limit. */
export const SHORT_VALUES_LENGTH = 300;

/** Returns the number of parts that are priced separately: the segments of an SMS; 1 on other channels. */
export const pricedParts = (channel: ChannelName, content: Content): number =>
  channel === 'SMS' && content.kind === 'text' ? smsSegments(content.text) : 1;

/** Explains that accents were removed from an SMS; undefined if it has all of its accents. */
export function accentNote({ accented }: { readonly accented?: string | undefined }): string | undefined {
  if (accented === undefined) return undefined;
  const { segments, unsupported } = smsSize(accented);
  const letters = unsupported.filter((character) => /\p{L}/u.test(character));
  return `Removed from ${LIST.format(letters)}, because the message would need ${segments} SMS with them.`;
}

/** Returns why the message is too long, worded to follow "the message is"; undefined if it is short enough. */
export function lengthProblem(channel: ChannelName, content: Content): string | undefined {
  const segments = pricedParts(channel, content);
  if (segments > MAX_SMS_SEGMENTS) return `${segments} SMS long, and at most ${MAX_SMS_SEGMENTS} are allowed`;
  const length = content.kind === 'speech' ? content.sentences.join(' ').length : 0;
  if (length > MAX_SPEECH_CHARACTERS)
    return `${length} characters long, and a call reads at most ${MAX_SPEECH_CHARACTERS}`;
  return undefined;
}
