import type { Application } from '../../modules/applications/application.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { MAX_CHECKED, type MessagePage } from '../../modules/messages/message-lookup.js';
import {
  acceptedAttempt,
  isLost,
  isOpen,
  visibleState,
  type Message,
  type VisibleState,
} from '../../modules/messages/message.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { countryOf, maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel } from '../../modules/templates/template.js';
import { capitalized } from '../../platform/capitalized.js';
import { sha256 } from '../../platform/crypto.js';
import { localDay } from '../../platform/local-day.js';
import { Badge } from '../components/badge.js';
import { useNow, useTimeZone } from '../components/context.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { Pager } from '../components/pager.js';
import { areTitles, Table, type Column } from '../components/table.js';
import { dayName, Time } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { countText } from '../usage/figures.js';
import { CODES_KEPT_MS } from './group-by-reason.js';
import { isFiltered, positionText, urlOf, type MessageQuery } from './filter.js';
import { CHANNEL_NAMES, channelInSentence, hasReasons } from './labels.js';
import { badgeOf, hasNoReason, inPlace, shortProblemsOf, unknownAttempt } from './reasons.js';

/** Whether the messages' codes were entered, by `maskId`. */
type CodeStates = ReadonlyMap<string, boolean>;

export interface ListProps {
  readonly query: MessageQuery;
  readonly page: MessagePage;
  readonly codes: CodeStates;
  /** The messages that did not arrive, and whose recipients entered a later code. */
  readonly later: ReadonlySet<Message>;
  readonly applications: readonly Application[];
  /** Whether this is the first page of the list. New messages appear only on the first page. */
  readonly first: boolean;
  readonly live: boolean;
  /** The number of refused messages that are stored, and why not all are; "" if all are. */
  readonly listed: string;
}

type ContentProps = Omit<ListProps, 'live'>;

/** Returns a hash of the messages on a page, and of the day that it calls “Today”. If the hash has not changed, the page is not sent again. */
export function versionOfPage({ page, codes, later }: Pick<ListProps, 'page' | 'codes' | 'later'>, today: string) {
  const rows = page.messages.map((message) => [
    message.id,
    visibleState(message),
    message.channel,
    entered(message, codes),
    later.has(message),
  ]);
  return sha256(JSON.stringify([today, rows])).slice(0, 16);
}

/** Whether the code of a message that may have been sent was entered; undefined for others, and while the person can still enter it. */
const entered = (message: Message, codes: CodeStates): boolean | undefined =>
  message.state === 'sent' || unknownAttempt(message) ? codes.get(message.maskId || message.id) : undefined;

/** States that need no badge. */
const ORDINARY_STATES: readonly VisibleState[] = ['delivered', 'sent', 'sending', 'queued', 'scheduled'];

/** The column of the state. A message whose code was entered arrived, whatever its provider reported. */
export const stateColumn = (isEntered: (message: Message) => boolean | undefined): Column<Message> => ({
  title: 'State',
  cell: (message) => {
    const { name, kind } = badgeOf(message, isEntered(message) === true);
    return kind === 'neutral' && (name === 'Arrived' || ORDINARY_STATES.includes(visibleState(message))) ? (
      <span class="quiet">{name}</span>
    ) : (
      <Badge kind={kind}>{name}</Badge>
    );
  },
});

export const CREATED: Column<Message> = {
  title: 'Created',
  number: true,
  cell: ({ createdAt }) => <Time ms={createdAt} />,
};

/** In the time zone of the filters, if there is one. The page names it. `clock`: without the day. */
const createdIn = (zone: string | undefined, clock: boolean): Column<Message> => ({
  ...CREATED,
  cell: ({ createdAt }) => <Time ms={createdAt} zone={zone} clock={clock} seconds isZoneNamed />,
});

const canBeEntered = ({ state, template, expiresAt }: Message, now: number): boolean =>
  state === 'sent' && template === 'otp' && expiresAt > now;

/** The result of a message that may have arrived. Many of them are a sign of fraud. */
const NOT_ENTERED = 'Code not entered';

type CodeProps = Pick<ListProps, 'codes' | 'later'>;

/** Whether the recipient entered the code or a later one. */
const gotCode = (message: Message, { codes, later }: CodeProps): boolean =>
  entered(message, codes) === true || later.has(message);

/** Whether the message is a code that did not arrive, so long ago that entered codes of that time are no longer stored. */
const isForgotten = (message: Message, now: number): boolean =>
  isLost(message) && message.template === 'otp' && message.createdAt <= now - CODES_KEPT_MS;

/** Returns whether the code or a later one was entered; "" if this is not known, or if nobody has the number or address. */
function codeResultOf(message: Message, { codes, later }: CodeProps, now: number): string {
  const isEntered = entered(message, codes);
  if (isEntered) return 'Code entered';
  if (later.has(message)) return 'Entered a later code';
  if (isEntered === undefined && canBeEntered(message, now)) return 'Code not entered yet';
  if (isLost(message))
    return message.template !== 'otp' || isForgotten(message, now) || hasWrongRecipient(message)
      ? ''
      : 'No code entered';
  return isEntered === false ? NOT_ENTERED : '';
}

/** Returns why a message did not arrive, as in `invalid phone number`; "" if that is not known. */
const reasonIn = (message: Message): string => (hasNoReason(message) ? '' : shortProblemsOf([message]));

/** Like {@link reasonIn}, with the name of the country. */
const reasonText = (message: Message): string => inPlace(reasonIn(message), message);

/** Returns the most important fact about a message: whether its code was entered, or why it did not arrive. */
function resultOf(message: Message, props: CodeProps, now: number): string {
  const code = codeResultOf(message, props, now);
  if (gotCode(message, props)) return code;
  return reasonIn(message) || (isOpen(message) ? 'Waiting to be sent' : code);
}

const TO: Column<Message> = {
  title: 'To',
  cell: ({ id, recipient }) => (
    <a id={`message-${id}`} class="strong nowrap" href={`/dashboard/messages/${id}`}>
      {maskRecipient(recipient)}
    </a>
  ),
};

const REASON: Column<Message> = {
  title: 'Reason',
  cell: (message) => <span class="reason">{reasonText(message)}</span>,
};

interface Detail {
  readonly title: string;
  readonly of: (message: Message) => string;
  /** The detail, which is not empty, in a sentence about all messages of a page. */
  readonly phrase: (message: Message) => string;
}

const placeIn = ({ recipient }: Message): string => countryOf(recipient) && countryName(countryOf(recipient));

const COUNTRY: Detail = {
  title: 'Country',
  of: placeIn,
  phrase: ({ recipient }) => `to ${countryInSentence(countryOf(recipient))}`,
};

/** Whether a message did not arrive, and its recipient entered no other code. */
const isUnsolved = (message: Message, props: CodeProps, now: number): boolean =>
  isLost(message) && !gotCode(message, props) && codeResultOf(message, props, now) !== '';

const isSameIn = (messages: readonly Message[], of: (message: Message) => string): boolean =>
  messages.length > 1 && new Set(messages.map(of)).size === 1;

const templatePhrase = ({ template }: Message): string =>
  template === 'otp' ? 'verification codes' : `“${templateLabel(template)}” notifications`;

/** The columns of facts that all messages of a page may have in common. */
function detailsOf({ query, applications }: Pick<ListProps, 'query' | 'applications'>): readonly Detail[] {
  const names = new Map(applications.map(({ id, name }) => [id, name]));
  const hasApplications = applications.length > 1 && query.application === undefined;
  const providerOf = (message: Message) => acceptedAttempt(message)?.provider ?? '';
  const applicationOf = ({ applicationId }: Message) => names.get(applicationId) ?? '';
  const provider = { title: 'Provider', of: providerOf, phrase: (one: Message) => `through ${providerOf(one)}` };
  const application = {
    title: 'Application',
    of: applicationOf,
    phrase: (one: Message) => `from ${applicationOf(one)}`,
  };
  return [
    { title: 'Message', of: ({ template }) => templateLabel(template), phrase: templatePhrase },
    {
      title: 'Channel',
      of: ({ channel }) => CHANNEL_NAMES[channel],
      phrase: ({ channel }) => `by ${channelInSentence(channel)}`,
    },
    ...(query.state === 'undelivered' ? [provider] : []),
    ...(hasApplications ? [application] : []),
    ...(hasReasons(query.state) ? [COUNTRY] : []),
  ];
}

/** Lists of all states mix messages that arrived with others, so that one column shows a reason or the code's result. */
function listedResult(message: Message, props: CodeProps & Pick<ListProps, 'query'>, now: number): string {
  if (!hasReasons(props.query.state)) return resultOf(message, props, now);
  return entered(message, props.codes) ? 'Arrived, code entered' : codeResultOf(message, props, now);
}

/** Returns the facts that all messages of the page have in common, which have no column: `All are verification codes by SMS from Harbor Books.`, `All by SMS to Bangladesh.` */
function commonText(props: ContentProps): string {
  const { messages } = props.page;
  const [first] = messages;
  const all = detailsOf(props).filter(({ of }) => isSameIn(messages, of) && of(first!) !== '');
  // Most lost messages are codes, and a provider says enough about the channel.
  const isClear = ({ title }: Detail) =>
    (title === 'Message' && first!.template === 'otp') ||
    (title === 'Channel' && all.some((one) => one.title === 'Provider'));
  const same = hasReasons(props.query.state) ? all.filter((detail) => !isClear(detail)) : all;
  if (same.length === 0) return '';
  const start = same[0]!.title === 'Message' ? 'All are' : 'All';
  return `${[start, ...same.map(({ phrase }) => phrase(first!))].join(' ')}.`;
}

interface Titles {
  /** Whether the titles of groups of rows state the days. */
  readonly hasDays: boolean;
  /** Whether the titles also state the reasons. */
  readonly hasReasons: boolean;
  /** The details that the titles state. */
  readonly details: readonly Detail[];
}

function columnsOf(props: ContentProps, titles: Titles, now: number): readonly Column<Message>[] {
  const {
    query,
    codes,
    page: { messages },
  } = props;
  const isOfLost = hasReasons(query.state);
  const textOf = (message: Message) => listedResult(message, props, now);
  const result: Column<Message> = {
    title: 'Result',
    cell: (message) => {
      const text = textOf(message);
      const isProblem = text === NOT_ENTERED || (text !== '' && text === reasonIn(message));
      const isMarked = isOfLost && isUnsolved(message, props, now);
      const kinds = ['reason', isProblem && 'lost', isMarked && 'unsolved', text === '' && 'same'];
      return <span class={kinds.filter(Boolean).join(' ')}>{text || '–'}</span>;
    },
  };
  const hasReason = isOfLost && !titles.hasReasons && messages.some((message) => reasonIn(message) !== '');
  // The card above the list states that people entered no code.
  const hasResult = !query.withoutCode && messages.some((message) => textOf(message) !== '');
  const shown = detailsOf(props).filter(
    ({ title, of }) => !isSameIn(messages, of) && !titles.details.some((one) => one.title === title),
  );
  const columnOf = ({ title, of }: Detail): Column<Message> => ({
    title,
    cell: (message) => <span class={of(message) ? 'quiet' : 'quiet same'}>{of(message) || '–'}</span>,
  });
  const isCountry = ({ title }: Detail) => title === COUNTRY.title;
  return [
    TO,
    ...shown.filter(isCountry).map(columnOf),
    ...(query.state === undefined ? [stateColumn((message) => entered(message, codes))] : []),
    ...(hasReason ? [REASON] : []),
    ...(hasResult ? [result] : []),
    ...shown.filter((detail) => !isCountry(detail)).map(columnOf),
    createdIn(query.zone, titles.hasDays),
  ];
}

/** The number of refused messages with the same day and reason that are shown at first. */
const SHOWN_OF_REASON = 5;

function emptyText(query: MessageQuery): string {
  if (!isFiltered(query) && query.state === 'failed') return 'No message has failed in the last 30 days.';
  const { sealedRecipient, ...others } = query;
  if (sealedRecipient !== undefined && query.state === undefined && !isFiltered(others))
    return 'No message to this recipient in the last 30 days. Check the number or the email address.';
  return 'Messages are kept for 30 days. Try fewer filters.';
}

function NoMessages({ query, first, applications, page: { next } }: Omit<ContentProps, 'codes' | 'later'>) {
  if (next)
    return (
      <EmptyState title="No matching messages found so far">
        None of the {countText(MAX_CHECKED)} messages searched match. To search the next {countText(MAX_CHECKED)},
        select “Older”.
      </EmptyState>
    );
  if (!first) return <EmptyState title="No older messages">You have reached the end of the list.</EmptyState>;
  if (query.state !== undefined || isFiltered(query))
    return (
      <EmptyState
        title="No matching messages"
        action={
          <a class="button subtle" href="/dashboard/messages">
            Show all messages
          </a>
        }
      >
        {emptyText(query)}
      </EmptyState>
    );
  return (
    <EmptyState title="No messages yet" action={<ApplicationButton application={applications[0]} />}>
      When an application sends its first code or notification, you can follow it here, from the request until the
      provider reports the delivery.
    </EmptyState>
  );
}

export function ListContent(props: ContentProps) {
  const { query, page, first } = props;
  const { messages, next } = page;
  const now = useNow();
  const zone = useTimeZone();
  const dayOf = (ms: number) => localDay(ms, query.zone ?? zone);
  const dayTitle = ({ createdAt }: Message) => dayName(dayOf(createdAt), dayOf(now));
  const reasonTitle = (message: Message) =>
    [dayTitle(message), capitalized(reasonText(message))].filter(Boolean).join(' · ');
  const hasDayReasons = hasReasons(query.state) && areTitles(messages, reasonTitle);
  const hasDays = hasDayReasons || areTitles(messages, dayTitle);
  // The filter by reason states the reason.
  const groupOf = hasDayReasons && query.reason === undefined ? reasonTitle : hasDays ? dayTitle : () => '';
  // Facts that all messages of a group have in common.
  const groups = hasReasons(query.state) ? groupBy(messages, groupOf) : [];
  const details = detailsOf(props).filter(
    ({ of }) => groups.length > 1 && !isSameIn(messages, of) && groups.every((group) => isSameIn(group, of)),
  );
  const titleOf = (message: Message) =>
    [groupOf(message), ...details.map(({ of }) => of(message))].filter(Boolean).join(' · ');
  const common = [props.listed, commonText(props)].filter(Boolean).join(' ');
  return (
    <>
      {common !== '' && <p class="quiet small common">{common}</p>}
      <input type="hidden" name="mark" value={versionOfPage(props, localDay(now, zone))} />
      {messages.length === 0 ? (
        <NoMessages {...props} />
      ) : (
        <Table
          caption="Messages, newest first"
          columns={columnsOf(props, { hasDays, hasReasons: hasDayReasons, details }, now)}
          rows={messages}
          keyOf={({ id }) => id}
          groupOf={titleOf}
          // The card above the list links to all messages with the same reason.
          shown={query.state === 'refused' && hasDayReasons && query.reason === undefined ? SHOWN_OF_REASON : Infinity}
        />
      )}
      {hasReasons(query.state) && messages.some((message) => isForgotten(message, now)) && (
        <p class="quiet small">Passbell stores for 7 days whether codes were entered. Older messages have no result.</p>
      )}
      <Pager
        latest={!first && urlOf('/messages', query)}
        older={next !== undefined && urlOf('/messages', query, { after: positionText(next) })}
      />
    </>
  );
}

/** Whether the list is refreshed. Each refresh of some lists would check thousands of messages. */
const canBeLive = ({ query, first }: Pick<ListProps, 'query' | 'first'>): boolean =>
  first && query.country === undefined && query.reason === undefined && !query.withoutCode;

/** The switch for the live updates of the list, and its export. */
export function ListTools({ live, ...props }: Omit<ListProps, 'listed'>) {
  const { query, page } = props;
  if (page.messages.length === 0) return null;
  return (
    <div class="list-tools">
      {canBeLive(props) && (
        <p class={live ? 'live-line on' : 'live-line'} data-needs-script hidden>
          <span>{live ? 'Live updates on' : 'Live updates off'}</span>
          <a href={urlOf('/messages', query, { live: live ? 'off' : undefined })}>
            {live ? 'Stop updates' : 'Start updates'}
          </a>
        </p>
      )}
      <a class="button subtle small" href={urlOf('/messages/export', query)} download>
        Export as CSV
      </a>
    </div>
  );
}

/** The list, with live updates. */
export function MessageList({ live, ...props }: ListProps) {
  const refresh = {
    'hx-get': urlOf('/messages', props.query),
    'hx-trigger': 'every 4s',
    'hx-include': '#message-list [name=mark]',
    'hx-swap': 'innerHTML',
    'data-live': 'yes',
  };
  return (
    <div class="message-list">
      <div id="message-list" {...(live && canBeLive(props) ? refresh : {})}>
        <ListContent {...props} />
      </div>
    </div>
  );
}
