/** Finds failed messages and failing providers that need attention, and those that another provider made up for. */
import { LIST } from '../../platform/list.js';
import { DAY, MINUTE } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { localDay, startOfLocalDay } from '../../platform/local-day.js';
import {
  acceptedAttempt,
  type Attempt,
  type Message,
  type Rescued,
  type VisibleState,
} from '../../modules/messages/message.js';
import { capitalized } from '../../platform/capitalized.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { momentText, spanText } from '../components/time.js';
import { providerPath } from '../channels/labels.js';
import { groupBy } from '../group-by.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { SENT_NAMES } from '../../modules/messages/sent-names.js';
import { CHANNEL_NAMES, channelInSentence, channelMessages } from '../messages/labels.js';
import { peopleText, withoutCode } from '../messages/reasons.js';
import { countText, messagesText, NOTABLE_FAILURES, percent, rate } from '../usage/figures.js';
import { COUNTED_FAILURES, timesOf, USUAL_DAYS, type AccountState, type Concern, type Failure } from './concern.js';

const NOTABLE_FAILURE_RATE = 0.05;
/** As many failures within this time, and as many times more than usual, are an outage. */
const OUTAGE_MS = 30 * MINUTE;
const OUTAGE_FAILURES = 20;
const OUTAGE_FACTOR = 5;

type Failures = readonly Failure[];

/** `10 messages`; `at least 120 SMS messages` if older ones since then were not read, and all are on one channel. */
function failureCount(affected: Failures, failures: Failures, since: number, channel?: ChannelName): string {
  const isCut = (['failed', 'expired'] as const).some((state) => {
    const read = failures.filter((message) => message.state === state);
    return read.length >= COUNTED_FAILURES && (read.at(-1)!.finishedAt ?? 0) >= since;
  });
  const noun = channel ? SENT_NAMES[channel] : 'messages';
  return `${isCut ? 'at least ' : ''}${countText(affected.length)} ${affected.length === 1 ? 'message' : noun}`;
}

/** The failing provider of a channel, and when it started to fail. */
export function failingOf({ channel, state }: ChannelView) {
  if (!('through' in state) || state.state.kind !== 'failing') return undefined;
  return { channel, through: state.through, ...state.state };
}

/** A failed attempt of a message that another provider or channel then sent. */
interface Rescue extends Rescued {
  readonly failed: Attempt;
  readonly provider: string;
}

const rescuesOf = (rescued: AccountState['rescued']): Rescue[] =>
  rescued.flatMap((message) =>
    message.attempts.flatMap((failed) =>
      failed.success || failed.provider === undefined ? [] : { ...message, failed, provider: failed.provider },
    ),
  );

export const wayOf = ({ failed, provider }: Rescue): string => `${failed.channel} ${provider}`;

/** Groups messages by the provider and the channel that did not send them. Leaves out those with only a few failures. */
export const rescueGroups = (rescued: AccountState['rescued']) =>
  groupBy(rescuesOf(rescued), wayOf).filter(
    (group): group is [Rescue, ...Rescue[]] => group.length >= NOTABLE_FAILURES,
  );

/** `Vonage and email` */
const throughText = (rescues: readonly Rescued[]): string =>
  LIST.format(new Set(rescues.map((rescue) => acceptedAttempt(rescue)?.provider ?? channelMessages(rescue.channel))));

/** `41 messages went through Vonage instead.`; "" if none did. */
const insteadText = (rescues: readonly Rescued[]): string =>
  rescues.length === 0 ? '' : `${messagesText(rescues.length)} went through ${throughText(rescues)} instead.`;

/** Says that no other provider can send the message; "" if one can. */
function noFallbackText({ channel }: Failure, channels: readonly ChannelView[]): string {
  const state = channels.find((view) => view.channel === channel)?.state;
  const isOnly = state?.kind === 'own' && state.fallbacks.length === 0;
  return isOnly ? `No other provider is set up for ${channelMessages(channel)}.` : '';
}

export function providerConcern(
  view: ChannelView,
  { failures, rescued, lastSent, now, timeZone }: AccountState,
): Concern | undefined {
  const failing = failingOf(view);
  if (!failing) return undefined;
  const { channel, through, reason, since } = failing;
  const affected = failures.filter((message) => message.channel === channel && (message.finishedAt ?? 0) >= since);
  const lost = affected.length === 0 ? '' : `${failureCount(affected, failures, since)} failed or expired.`;
  const rescues = rescuesOf(rescued).filter(
    ({ failed, provider }) => provider === through.name && failed.channel === channel && (failed.at ?? 0) >= since,
  );
  const sent = lastSent.get(channel);
  const isElsewhere = sent?.provider !== undefined && sent.provider !== through.name && sent.at > since;
  const instead = insteadText(rescues);
  const title = `${through.name} failing for ${channelMessages(channel)}`;
  const route = isElsewhere ? `${capitalized(SENT_NAMES[channel])} now go through ${sent.provider}.` : '';
  return {
    title: `${title} since ${momentText(since, now, timeZone)}`,
    lastingTitle: title,
    stopsAt: since,
    fact: [`${capitalized(reason)}.`, capitalized(lost), instead || route].filter(Boolean).join(' '),
    text: [`Reason: ${reason}.`, capitalized(lost), instead, route].filter(Boolean).join(' '),
    times: timesOf(['since', since], ['latest failed message:', affected[0]?.createdAt]),
    isUrgent: affected.length > 0 || rescues.length === 0,
    link: { href: providerPath(through.id), label: 'Check provider' },
  };
}

/** The most messages that were created within {@link OUTAGE_MS}, newest first. */
function worstOf<Dated extends Pick<Message, 'createdAt'>>(failures: readonly Dated[]): readonly Dated[] {
  const within = ({ createdAt }: Dated) =>
    failures.filter((other) => other.createdAt <= createdAt && other.createdAt > createdAt - OUTAGE_MS);
  const none: readonly Dated[] = [];
  return failures.map(within).reduce((worst, some) => (some.length > worst.length ? some : worst), none);
}

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The filters of a period. They name the application if there is only one. */
function periodQuery({ applications, timeZone: zone }: AccountState, from: number, until?: number): MessageQuery {
  const [only] = applications.length === 1 ? applications : [];
  return { application: only?.application.appKey, from, until, zone };
}

/** The state in which most of these messages ended. */
const stateOf = (failures: Failures): VisibleState =>
  (mostCommon(failures.map(({ state }) => state)) as VisibleState | undefined) ?? 'failed';

/** Whether later messages were sent on the channel. */
const isRecovered = (newest: Failure, { lastSent }: AccountState): boolean =>
  (lastSent.get(newest.channel)?.at ?? 0) > newest.createdAt;

/** `SMS is working again`; `SMS messages are going through Twilio again` if it sent the latest one, and is still tried first. */
function recoveredText(channel: ChannelName, { channels, lastSent }: AccountState): string {
  const provider = lastSent.get(channel)?.provider;
  const view = channels.find((one) => one.channel === channel);
  if (provider !== undefined && view?.state.kind === 'own' && view.state.through.name === provider)
    return `${capitalized(SENT_NAMES[channel])} are going through ${provider} again`;
  return channel === 'VOICE' ? 'Voice calls are working again' : `${CHANNEL_NAMES[channel]} is working again`;
}

export const notRecoveredText = (channel: ChannelName): string =>
  `No message has been sent by ${channelInSentence(channel)} since then`;

/** `SMS messages go through Twilio again.` */
const recoveryText = (newest: Failure, account: AccountState): string =>
  `${isRecovered(newest, account) ? recoveredText(newest.channel, account) : notRecoveredText(newest.channel)}.`;

/** When the newest message was sent after the failures. */
const recoveredAt = (newest: Failure | undefined, account: AccountState) =>
  [
    'latest sent message:',
    newest && isRecovered(newest, account) ? account.lastSent.get(newest.channel)?.at : undefined,
  ] as const;

/** The first and the last of messages that failed in a short time, newest first. */
const spanOf = (worst: readonly Pick<Message, 'createdAt'>[]) =>
  [worst.at(-1)!.createdAt, worst[0]!.createdAt] as const;

/** `outage`: `Twilio outage`. Returns `Twilio outage, 02:10–02:29`. */
const outageTitle = (outage: string, first: number, last: number, { now, timeZone }: AccountState): string =>
  `${outage}, ${spanText(first, last, now, timeZone)}`;

/** Many more failures than usual in a short time. */
export interface Outage {
  /** Newest first. */
  readonly failures: Failures;
  /** The provider, or the channel if no provider was called: `Twilio`. */
  readonly name: string;
  /** When the first and the last of the failed messages were created, in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  /** The most common reason; "" if no provider was called. */
  readonly reason: string;
  /** The filters of the list of these messages. Without a reason, the list may contain other failures of that time. */
  readonly query: MessageQuery;
}

/** Returns the worst outage of the last 24 hours, which may be over. Wrong numbers and addresses do not count. */
export function outageOf(account: AccountState): Outage | undefined {
  const { failures, now, usual } = account;
  const worst = worstOf(
    failures.filter(({ createdAt, hasWrongRecipient }) => createdAt > now - DAY && !hasWrongRecipient),
  );
  const usually = (usual.failed * OUTAGE_MS) / (USUAL_DAYS * DAY);
  if (worst.length < OUTAGE_FAILURES || worst.length < OUTAGE_FACTOR * usually) return undefined;
  const [first, last] = spanOf(worst);
  const provider = mostCommon(worst.flatMap(({ attempt }) => attempt?.provider ?? []));
  const name = provider ?? CHANNEL_NAMES[mostCommon(worst.map(({ channel }) => channel)) as ChannelName];
  const reason = withoutCode(mostCommon(worst.flatMap(({ attempt }) => attempt?.message ?? [])) ?? '');
  const [newest] = worst as [Failure];
  const isOneKind = worst.every(({ state, reasonKey }) => state === newest.state && reasonKey === newest.reasonKey);
  const only = isOneKind ? newest.reasonKey : undefined;
  const query = { ...periodQuery(account, first, last), state: stateOf(worst), reason: only };
  return { failures: worst, name, first, last, reason, query };
}

/** The number of people who should have received the codes; undefined if messages other than codes failed, too, or if recipients were erased. */
function peopleIn(failures: Failures): number | undefined {
  const people = new Set(failures.map(({ recipient }) => recipient));
  return people.has('') || failures.some(({ template }) => template !== 'otp') ? undefined : people.size;
}

/** `; 22 people entered no code`; "" if their number is unknown. */
function withoutCodeText(people: number | undefined, enteredLater: number): string {
  if (people === undefined) return '';
  const others = people - enteredLater;
  if (others <= 0)
    return people === 1 ? '; the recipient entered a later code' : '; all recipients entered a later code';
  return `; ${peopleText(others)} entered no code`;
}

/** Says what is left to do after an outage: `22 of 58 affected people have not entered a code since.` */
function effectText(people: number, enteredLater: number): string {
  if (people === 1)
    return enteredLater > 0
      ? 'Nothing to do: the recipient entered a later code.'
      : 'The recipient entered no later code. They can request a new one.';
  if (enteredLater === 0)
    return `None of the ${countText(people)} affected people have entered a code since. They can request a new one.`;
  if (enteredLater >= people) return `Nothing to do: all ${countText(people)} people entered a later code.`;
  const others = people - enteredLater;
  return `${countText(others)} of ${countText(people)} affected people ${others === 1 ? 'has' : 'have'} not entered a code since.`;
}

/** Returns undefined if the provider is still failing, because {@link providerConcern} then describes the outage. */
export function outageConcern(outage: Outage, account: AccountState): Concern | undefined {
  const { failures: worst, name, first, last, reason, query } = outage;
  const { channels, failures, enteredLater, now, timeZone } = account;
  const failing = channels.map(failingOf);
  if (failing.some((one) => one && one.through.name === name && one.since <= last)) return undefined;
  const newest = worst[0]!;
  const isOneChannel = worst.every(({ channel }) => channel === newest.channel);
  const lost = failureCount(worst, failures, first, isOneChannel ? newest.channel : undefined);
  const isUnknown = worst.some(({ attempt }) => attempt?.ifSent !== undefined);
  const people = peopleIn(worst);
  const isOver = isRecovered(newest, account);
  const because = reason === '' ? '' : `Reason: ${reason}.`;
  const recovery = recoveryText(newest, account);
  const loss = `${lost} ${isUnknown ? 'may not have arrived' : 'were not sent'}${withoutCodeText(people, enteredLater)}.`;
  const texts = [capitalized(loss), because, !isUnknown && noFallbackText(newest, channels), recovery];
  // The list of all messages is as useful if all or none of the people entered a later code.
  const isPart = people !== undefined && enteredLater > 0 && enteredLater < people;
  const channelName = CHANNEL_NAMES[newest.channel];
  const title = isOneChannel && name !== channelName ? `${channelName} outage (${name})` : `${name} outage`;
  return {
    title: isOver ? outageTitle(title, first, last, account) : `${title} since ${momentText(first, now, timeZone)}`,
    lastingTitle: `${name} outage`,
    fact:
      isOver && people !== undefined
        ? effectText(people, enteredLater)
        : `${capitalized(loss)} ${isOver ? because : recovery}`.trim(),
    text: texts.filter(Boolean).join(' '),
    times: timesOf(['from', first], ['to', last], recoveredAt(newest, account)),
    isOver,
    endedAt: last,
    isUrgent: true,
    stopsAt: first,
    link: isPart
      ? {
          href: urlOf('/messages', { ...query, withoutCode: true }),
          label: `Show ${peopleText(people - enteredLater)}`,
        }
      : { href: urlOf('/messages', query) },
  };
}

/** Describes providers that failed while other providers or channels sent the messages. */
export function rescueConcerns(account: AccountState): Concern[] {
  const { failures, rescued, channels, lastThrough } = account;
  const failing = channels.map(failingOf);
  return rescueGroups(rescued).flatMap((group) => {
    const worst = worstOf(group);
    const [{ failed, provider }] = group;
    const { channel } = failed;
    if (worst.length < NOTABLE_FAILURES) return [];
    if (failing.some((one) => one?.channel === channel && one.through.name === provider)) return [];
    const [first, last] = spanOf(worst);
    const again = lastThrough.get(wayOf(group[0])) ?? 0;
    const lost = failures.filter(
      ({ attempt, createdAt, ...failure }) =>
        failure.channel === channel && attempt?.provider === provider && createdAt >= first && createdAt <= last,
    );
    const loss = lost.length === 0 ? 'No message was lost.' : `${failureCount(lost, failures, first, channel)} failed.`;
    const sent = `${countText(worst.length)} ${SENT_NAMES[channel]} went through ${throughText(worst)}.`;
    const texts = [
      sent,
      loss,
      `Reason: ${withoutCode(mostCommon(worst.map((rescue) => rescue.failed.message)) ?? '')}.`,
      again > last ? `${provider} works again.` : '',
    ];
    return {
      title: outageTitle(`${provider} outage`, first, last, account),
      lastingTitle: `${provider} outage`,
      fact: lost.length === 0 ? `Nothing to do: ${sent}` : `${sent} ${loss}`,
      text: texts.filter(Boolean).join(' '),
      times: timesOf(
        ['from', first],
        ['to', last],
        [`latest message through ${provider}:`, again > last ? again : undefined],
      ),
      isOver: true,
      endedAt: last,
      link: { href: urlOf('/messages', { ...periodQuery(account, first, last), channel: worst[0]!.channel }) },
    };
  });
}

export function failuresConcern(account: AccountState): Concern | undefined {
  const { today, failures, now, timeZone } = account;
  const { sent, failed } = today;
  const share = rate(failed, sent + failed);
  if (failed < NOTABLE_FAILURES || share === undefined || share < NOTABLE_FAILURE_RATE) return undefined;
  const from = startOfLocalDay(localDay(now, timeZone), timeZone);
  const ofToday = failures.filter(({ createdAt }) => createdAt >= from);
  const [newest] = ofToday.filter(({ hasWrongRecipient }) => !hasWrongRecipient);
  const allWrong = ofToday.length > 0 && !newest;
  const outcome = allWrong
    ? 'The phone numbers or email addresses are invalid or do not exist. Validate them in your form before you send a message.'
    : newest && recoveryText(newest, account);
  return {
    title: `${countText(failed)} messages failed today`,
    fact: `That is ${percent(share)} of today's messages. ${allWrong ? 'The numbers or addresses are invalid.' : newest ? recoveryText(newest, account) : ''}`.trim(),
    text: `That is ${percent(share)} of today's messages. ${outcome ?? ''}`.trim(),
    times: timesOf(['latest failed message:', ofToday[0]?.createdAt], recoveredAt(newest, account)),
    isOver: newest !== undefined && isRecovered(newest, account),
    endedAt: newest?.createdAt,
    isUrgent: newest !== undefined,
    link: { href: urlOf('/messages', { ...periodQuery(account, from), state: stateOf(ofToday) }) },
  };
}
