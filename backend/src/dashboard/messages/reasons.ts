/** Why messages did not arrive. */
import { refusedBecause, ruleOfHint } from '../../modules/fraud/fraud-texts.js';
import type { RuleName } from '../../modules/fraud/fraud.js';
import { acceptedAttempt, isLost, type Attempt, type Message } from '../../modules/messages/message.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { sha256 } from '../../platform/crypto.js';
import type { BadgeKind } from '../components/badge.js';
import { momentText } from '../components/time.js';
import { countText } from '../usage/figures.js';
import { CHANNEL_NAMES, stateLabelOf } from './labels.js';

export const isByGuard = ({ refusal }: Pick<Message, 'refusal'>): boolean => refusal?.code === 'FRAUD_SUSPECTED';

/** Twilio's reason, in `twilio-errors.ts`. */
const INVALID_NUMBER = 'this is not a valid phone number';
/** Noun phrases for Twilio's reasons that name no subject: `this number …`. For one message, and for several. */
const SHORT_REASONS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  [INVALID_NUMBER]: ['invalid phone number', 'invalid phone numbers'],
  'this phone number cannot be reached': ['unreachable phone number', 'unreachable phone numbers'],
  'this number cannot receive SMS': ['number that cannot receive SMS', 'numbers that cannot receive SMS'],
  'this number is a landline, which cannot receive SMS': [
    'landline number, which cannot receive SMS',
    'landline numbers, which cannot receive SMS',
  ],
  'this number is not on WhatsApp': ['number that is not on WhatsApp', 'numbers that are not on WhatsApp'],
};
const NO_REASON = 'No reason reported';

/** Whether the provider reported that the message did not arrive, but not why. */
export const hasNoReason = (message: Message): boolean =>
  message.report === 'undelivered' && acceptedAttempt(message)?.undelivered === undefined;

/** Returns the attempt that a provider may have accepted; undefined if a provider certainly accepted another attempt. */
export const unknownAttempt = (message: Message): Attempt | undefined =>
  acceptedAttempt(message) ? undefined : message.attempts.find(({ ifSent }) => ifSent !== undefined);

/** The badge of a message. If the code was entered, the message arrived, even if its provider reported a loss. */
export const badgeOf = (message: Message, isEntered: boolean): { readonly name: string; readonly kind: BadgeKind } =>
  isEntered && isLost(message) && (message.state === 'sent' || unknownAttempt(message))
    ? { name: 'Arrived', kind: 'neutral' }
    : stateLabelOf(message);

/** `1 person`, `22 people` */
export const peopleText = (count: number): string => `${countText(count)} ${count === 1 ? 'person' : 'people'}`;

/** Explains why Passbell did not send messages again that a provider may have sent. */
export function uncertainText(provider = 'The provider', count = 1): string {
  const [messages, them] = count === 1 ? ['this message', 'it'] : ['these messages', 'them'];
  return `${provider} may have sent ${messages}, so Passbell did not send ${them} again.`;
}

/** Leaves out the HTTP status and the provider's error code, which the message's page has in its timeline. */
export const withoutCode = (reason: string): string => reason.replace(/ \(\d+(?:, [\w.:-]+)?\)$/, '');

/** Why a message was refused, failed or was not delivered; "" if it was sent. */
export function problemsOf(message: Message): string {
  const { attempts, refusal } = message;
  const accepted = acceptedAttempt(message);
  // People read it later: the reply to the request describes the pause of that time.
  if (refusal) return isByGuard(message) ? refusedBecause(refusal.hint, true) : refusal.reason;
  if (accepted) return withoutCode(accepted.undelivered ?? (hasNoReason(message) ? NO_REASON : ''));
  // With a single attempt, the row already shows its channel.
  if (attempts.length === 1) return withoutCode(attempts[0]!.message);
  return attempts.map(({ channel, message }) => `${CHANNEL_NAMES[channel]}: ${withoutCode(message)}`).join('; ');
}

/** The country that the fraud guard may have paused; "" for other reasons. */
export const placeOf = (message: Message): string => (isByGuard(message) ? countryOf(message.recipient) : '');

/** Replaces “this country” with the name of the recipient's country, for texts without the recipient. */
export function inPlace(text: string, message: Message): string {
  const place = placeOf(message);
  return place === '' ? text : text.replace('in this country', `in ${countryInSentence(place)}`);
}

/** The objects of “Passbell paused”, by rule. Other rules pause nothing. */
const PAUSED: { readonly [rule in RuleName]?: string } = {
  address: 'this IP address',
  burst: 'all codes',
  country: 'the country',
  newCountries: 'countries with few verifications',
  prefix: 'similar numbers',
  solved: 'the country',
};

/** `Passbell paused similar numbers until 03:00.`; "" if the refusal belongs to no automatic pause. `isPaused`: whether the pause still applies. */
export function pausedText({ refusal }: Message, isPaused: boolean, now: number, zone: string): string {
  const rule = ruleOfHint(refusal?.hint);
  const paused = rule && PAUSED[rule];
  const until = refusal?.until ?? Infinity;
  if (paused === undefined) return '';
  // Without its pause, a time in the future no longer applies.
  const isEndKnown = until <= now || (isPaused && until < Infinity);
  return `Passbell paused ${paused}${isEndKnown ? ` until ${momentText(until, now, zone)}` : ''}.`;
}

/** `Twilio: the message was rejected`, `Twilio did not reply`, `Twilio reports that this is not a valid phone number` */
export function named(provider: string | undefined, text: string): string {
  if (provider === undefined || text.startsWith(provider)) return text;
  return text.startsWith('this is ') ? `${provider} reports that ${text}` : `${provider}: ${text}`;
}

/** The whole reason, with the provider that accepted the message, or that was the only one tried. */
export function reasonOf(message: Message): string {
  if (isByGuard(message)) return refusedBecause(message.refusal?.hint);
  const reason = problemsOf(message);
  const accepted = acceptedAttempt(message);
  const [only] = message.attempts.length === 1 ? message.attempts : [];
  const provider = (accepted ?? only)?.provider;
  if (reason === '' || reason === NO_REASON) return `${provider ?? 'the provider'} reported no reason`;
  return named(provider, reason);
}

/** Like {@link problemsOf}, for messages with the same reason, and without sentences about `this number`. */
export function shortProblemsOf(messages: readonly Message[]): string {
  const problems = problemsOf(messages[0]!);
  return SHORT_REASONS[problems]?.[messages.length === 1 ? 0 : 1] ?? problems;
}

/** Like {@link reasonOf}, for several messages with the same reason. */
export function reasonOfAll(messages: readonly Message[]): string {
  const newest = messages[0]!;
  const provider = newest.attempts[0]?.provider ?? 'The provider';
  return messages.length > 1 && problemsOf(newest) === INVALID_NUMBER
    ? `${provider} reports that these are not valid phone numbers`
    : reasonOf(newest);
}

/** Identifies the application and the reason. It is hashed for URLs, because reasons can contain the recipient. */
export const reasonKey = (message: Message): string =>
  sha256([message.applicationId, message.refusal?.code, reasonOf(message), placeOf(message)].join(' ')).slice(0, 16);
