/** Message list filters as query parameters. The recipient is sealed, because URLs appear in logs. */
import type { Application } from '../../modules/applications/application.js';
import type { MessageFilter, PagePosition } from '../../modules/messages/message-filter.js';
import type { Message, VisibleState } from '../../modules/messages/message.js';
import { MINUTE } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import type { RuleName } from '../../modules/fraud/fraud.js';
import { hintOf, isRule } from '../../modules/fraud/fraud-texts.js';
import { countryNamed } from '../../modules/recipients/country.js';
import type { Modules } from '../modules.js';
import { CODES_KEPT_MS, createEnteredLater } from './group-by-reason.js';
import { hasReasons, STATE_LABELS } from './labels.js';
import { reasonKey } from './reasons.js';

export interface MessageQuery extends Pick<MessageFilter, 'state' | 'channel' | 'reference' | 'country'> {
  readonly application?: string | undefined;
  readonly sealedRecipient?: string | undefined;
  /** The rule of the fraud guard that refused the messages. */
  readonly rule?: RuleName | undefined;
  /** The {@link reasonKey} of the messages; only with a state that has reasons. */
  readonly reason?: string | undefined;
  /** Only messages of the last 7 days whose recipients entered neither the code nor a later one; only with a state that has reasons. */
  readonly withoutCode?: true | undefined;
  /** Range of creation times in epoch milliseconds. It includes the whole minute that starts at `until`. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The time zone in which `from` and `until` were entered. */
  readonly zone?: string | undefined;
}

type UrlQuery = Readonly<Record<string, string>>;

const parseTime = (text = ''): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

function isTimeZone(zone: string): boolean {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** Maximum length of a parameter, because the filters are part of URLs. A sealed recipient has up to 500 characters. */
const MAX_PARAMETER_LENGTH = 1000;

const shortText = (text = ''): string | undefined =>
  text !== '' && text.length <= MAX_PARAMETER_LENGTH ? text : undefined;

export function parseQuery(query: UrlQuery): MessageQuery {
  const { channel, application, who, reference, country = '', rule = '', zone = '' } = query;
  // The guard has a rule for each message that it refuses.
  const name = isRule(rule) ? 'refused' : (query.state ?? '');
  const state = Object.hasOwn(STATE_LABELS, name) ? (name as VisibleState) : undefined;
  return {
    state,
    channel: CHANNELS.find((name) => name === channel),
    application: shortText(application),
    sealedRecipient: shortText(who),
    reference: shortText(reference),
    country: countryNamed(country),
    rule: isRule(rule) ? rule : undefined,
    reason: hasReasons(state) ? shortText(query.reason) : undefined,
    withoutCode: (hasReasons(state) && query.withoutCode === 'true') || undefined,
    from: parseTime(query.from),
    until: parseTime(query.until),
    zone: isTimeZone(zone) ? zone : undefined,
  };
}

/** Parses the list position from the URL. Returns undefined for the first page. */
export function parsePosition({ after = '' }: UrlQuery): PagePosition | undefined {
  const [, createdAt, id] = /^(\d{1,15})-([\w-]{1,32})$/.exec(after) ?? [];
  return id === undefined ? undefined : { createdAt: Number(createdAt), id };
}

export const positionText = ({ createdAt, id }: PagePosition): string => `${createdAt}-${id}`;

/** Returns the URL of a page below `/dashboard` with these filters. */
export function urlOf(
  path: string,
  { sealedRecipient: who, ...query }: MessageQuery,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const entries = Object.entries({ ...query, who, ...more }).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return entries.length === 0 ? `/dashboard${path}` : `/dashboard${path}?${parameters}`;
}

/** Returns the query for another state. The filters by reason belong to the state. */
export const inState = (query: MessageQuery, state: VisibleState | undefined): MessageQuery =>
  state === query.state ? query : { ...query, state, rule: undefined, reason: undefined, withoutCode: undefined };

export const isFiltered = (query: MessageQuery): boolean =>
  Object.entries(query).some(([name, value]) => name !== 'state' && name !== 'zone' && value !== undefined);

/** Converts queries to filters. Another account's App Key or sealed recipient matches no message. */
export function createFilterOf(core: Modules<'clock' | 'messages' | 'otp'>) {
  const enteredLater = createEnteredLater(core);

  async function withoutLaterCode(messages: readonly Message[]): Promise<readonly Message[]> {
    const later = await enteredLater(messages);
    return messages.filter((message) => !later.has(message));
  }

  return function filterOf(
    query: MessageQuery,
    accountId: number,
    applications: readonly Application[],
  ): MessageFilter {
    const { state, channel, application, sealedRecipient: sealed, reference, rule, from, until } = query;
    const selected = applications.filter(({ appKey }) => application === undefined || appKey === application);
    const recipient = sealed === undefined ? undefined : core.messages.lookup.openRecipient(accountId, sealed);
    const isForeign = sealed !== undefined && recipient === undefined;
    return {
      applicationIds: isForeign ? [] : selected.map(({ id }) => id),
      state,
      channel,
      recipient,
      reference,
      country: query.country,
      condition: query.reason === undefined ? undefined : (message) => reasonKey(message) === query.reason,
      keep: query.withoutCode && withoutLaterCode,
      refusalText: rule && hintOf({ rule }),
      from: query.withoutCode ? Math.max(from ?? 0, core.clock.now() - CODES_KEPT_MS) : from,
      // The form shows minutes. All messages of the last minute match.
      to: until === undefined ? undefined : Math.floor(until / MINUTE) * MINUTE + MINUTE,
    };
  };
}
