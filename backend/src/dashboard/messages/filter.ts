/** What the list of messages is asked for, as it stands in the page's address. No recipient stands there in clear. */
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import { MINUTE } from '../../platform/clock.js';
import type { Application } from '../../modules/applications/application.js';
import type { MessageLookup } from '../../modules/messages/lookup-service.js';
import type { MessageFilter, Place } from '../../modules/messages/lookup-store.js';
import type { ShownState } from '../../modules/messages/message.js';
import { STATES } from './words.js';

/** Undefined is any. */
export interface Asked {
  readonly state?: ShownState | undefined;
  readonly channel?: ChannelName | undefined;
  /** App Key. */
  readonly application?: string | undefined;
  /** The recipient, sealed. */
  readonly who?: string | undefined;
  /** The first minute and the last, in epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The time zone that they were entered in. */
  readonly zone?: string | undefined;
}

type Query = Readonly<Record<string, string>>;

const PLACE = /^(\d{1,15})-([\w-]{1,32})$/;
const TIME = /^\d{1,15}$/;

const timeIn = (text: string | undefined): number | undefined => (text && TIME.test(text) ? Number(text) : undefined);

function isZone(zone: string): boolean {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** What is not understood counts as not said. */
export function askedIn(query: Query): Asked {
  const { state = '', channel = '', application, who, zone = '' } = query;
  return {
    state: Object.hasOwn(STATES, state) ? (state as ShownState) : undefined,
    channel: CHANNELS.find((name) => name === channel),
    application: application || undefined,
    who: who || undefined,
    from: timeIn(query.from),
    until: timeIn(query.until),
    zone: isZone(zone) ? zone : undefined,
  };
}

/** Of the page before; undefined on the first one. */
export function placeIn({ after = '' }: Query): Place | undefined {
  const [, createdAt, id] = PLACE.exec(after) ?? [];
  return id === undefined ? undefined : { createdAt: Number(createdAt), id };
}

/** An address below `/dashboard` that asks for this. */
export function linkTo(path: string, asked: Asked, more: Readonly<Record<string, string | undefined>> = {}): string {
  const entries = Object.entries({ ...asked, ...more }).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return entries.length === 0 ? `/dashboard${path}` : `/dashboard${path}?${query}`;
}

export const placeText = ({ createdAt, id }: Place): string => `${createdAt}-${id}`;

/** Whether anything but the state is asked for. */
export const isNarrowed = ({ channel, application, who, from, until }: Asked): boolean =>
  [channel, application, who, from, until].some((value) => value !== undefined);

/** What to look for; an App Key or a recipient that is not this account's finds nothing. */
export function filterOf(
  asked: Asked,
  accountId: number,
  applications: readonly Application[],
  { recipientIn }: Pick<MessageLookup, 'recipientIn'>,
): MessageFilter {
  const { state, channel, application, who, from, until } = asked;
  const own = applications.filter(({ appKey }) => application === undefined || appKey === application);
  const recipient = who === undefined ? undefined : recipientIn(accountId, who);
  const lost = who !== undefined && recipient === undefined;
  return {
    applicationIds: lost ? [] : own.map(({ id }) => id),
    state,
    channel,
    recipient,
    from,
    to: until === undefined ? undefined : until + MINUTE,
  };
}
