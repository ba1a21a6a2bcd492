import type { Application } from '../../modules/applications/application.js';
import { MAX_CHECKED, type MessagePage } from '../../modules/messages/message-lookup.js';
import { isOpen, visibleState, type Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel } from '../../modules/templates/template.js';
import { sha256 } from '../../platform/crypto.js';
import { localDay } from '../../platform/local-day.js';
import { Badge } from '../components/badge.js';
import { useNow, useTimeZone } from '../components/context.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { Pager } from '../components/pager.js';
import { Table, type Column } from '../components/table.js';
import { dayName, Time } from '../components/time.js';
import { countText } from '../usage/figures.js';
import { CODES_KEPT_MS } from './group-by-reason.js';
import { isFiltered, positionText, urlOf, type MessageQuery } from './filter.js';
import { CHANNEL_NAMES, badgeOf } from './labels.js';
import { hasNoReason, problemsOf, unknownAttempt } from './reasons.js';

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
}

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

/** The column of the state. A report of a loss is not shown in red if the code was entered. */
export const stateColumn = (isEntered: (message: Message) => boolean | undefined): Column<Message> => ({
  title: 'State',
  cell: (message) => {
    const { name, kind } = badgeOf(message, isEntered(message) === true);
    return <Badge kind={kind}>{name}</Badge>;
  },
});

export const CREATED: Column<Message> = { title: 'Created', cell: ({ createdAt }) => <Time ms={createdAt} /> };

/** Without the day, in the time zone of the filters, if there is one. */
const createdIn = (zone: string | undefined): Column<Message> => ({
  ...CREATED,
  cell: ({ createdAt }) => <Time ms={createdAt} zone={zone} clock />,
});

const canBeEntered = ({ state, template, expiresAt }: Message, now: number): boolean =>
  state === 'sent' && template === 'otp' && expiresAt > now;

/** Returns whether the code or a later one was entered, or the reason of a loss; "" if neither is known. */
function resultOf(message: Message, { codes, later }: Pick<ListProps, 'codes' | 'later'>, now: number): string {
  const isEntered = entered(message, codes);
  const problem = problemsOf(message);
  if (isEntered) return problem === '' ? 'Code entered' : 'Code entered, so the message arrived';
  if (later.has(message)) return 'Entered a later code';
  if (hasNoReason(message) && message.template === 'otp' && !canBeEntered(message, now))
    return message.createdAt > now - CODES_KEPT_MS ? 'Entered no later code' : '';
  if (problem !== '' && !hasNoReason(message)) return problem;
  if (isOpen(message)) return 'Waiting to be sent';
  if (isEntered === undefined && canBeEntered(message, now)) return 'Not entered yet';
  return isEntered === false ? 'Code not entered' : '';
}

function columnsOf(props: Omit<ListProps, 'live'>, now: number): readonly Column<Message>[] {
  const { query, applications, codes, later, page } = props;
  const { messages } = page;
  const results = new Map(messages.map((message) => [message, resultOf(message, props, now)]));
  const names = new Map(applications.map(({ id, name }) => [id, name]));
  const result = {
    title: 'Result',
    cell: (message: Message) => {
      const text = results.get(message)!;
      const hasArrived = entered(message, codes) || later.has(message);
      const kinds = ['reason', hasArrived && 'arrived', text === '' && 'same'];
      return <span class={kinds.filter(Boolean).join(' ')}>{text || '–'}</span>;
    },
  };
  // All rows are of one application if the list shows only one.
  const hasApplications = applications.length > 1 && query.application === undefined;
  const hasReason = query.reason !== undefined && new Set(results.values()).size === 1;
  const hasResult = [...results.values()].some((text) => text !== '');
  // Phones show only what differs between the rows.
  const classOf = (of: (message: Message) => unknown) =>
    hasResult && messages.length > 1 && new Set(messages.map(of)).size === 1 ? 'same' : '';
  const application: Column<Message> = {
    title: 'Application',
    cell: ({ applicationId }) => (
      <span class={`quiet ${classOf((message) => message.applicationId)}`}>{names.get(applicationId)}</span>
    ),
  };
  return [
    {
      title: 'To',
      cell: ({ id, recipient }) => (
        <a id={`message-${id}`} class="strong nowrap" href={`/dashboard/messages/${id}`}>
          {maskRecipient(recipient)}
        </a>
      ),
    },
    ...(query.state === undefined ? [stateColumn((message) => entered(message, codes))] : []),
    // The card above the list states the reason that all messages have.
    ...(hasResult && !hasReason ? [result] : []),
    {
      title: 'Message',
      cell: ({ template }) => <span class={classOf((message) => message.template)}>{templateLabel(template)}</span>,
    },
    {
      title: 'Channel',
      cell: ({ channel }) => (
        <span class={`quiet ${classOf((message) => message.channel)}`}>{CHANNEL_NAMES[channel]}</span>
      ),
    },
    ...(hasApplications ? [application] : []),
    createdIn(query.zone),
  ];
}

function emptyText(query: MessageQuery): string {
  if (!isFiltered(query) && query.state === 'failed') return 'No message has failed in the last 30 days.';
  if (query.sealedRecipient !== undefined)
    return 'No message to this recipient in the last 30 days. Check the number or the email address.';
  return 'Messages are kept for 30 days. Try fewer filters.';
}

function NoMessages({ query, first, applications, page: { next } }: Omit<ListProps, 'live' | 'codes' | 'later'>) {
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

export function ListContent(props: Omit<ListProps, 'live'>) {
  const { query, page, first } = props;
  const { messages, next } = page;
  const now = useNow();
  const zone = useTimeZone();
  const dayOf = (ms: number) => localDay(ms, query.zone ?? zone);
  return (
    <>
      <input type="hidden" name="mark" value={versionOfPage(props, localDay(now, zone))} />
      {messages.length === 0 ? (
        <NoMessages {...props} />
      ) : (
        <Table
          caption="Messages, newest first"
          columns={columnsOf(props, now)}
          rows={messages}
          keyOf={({ id }) => id}
          groupOf={({ createdAt }) => dayName(dayOf(createdAt), dayOf(now))}
        />
      )}
      <Pager
        latest={!first && urlOf('/messages', query)}
        older={next !== undefined && urlOf('/messages', query, { after: positionText(next) })}
      />
    </>
  );
}

export function MessageList({ live, ...props }: ListProps) {
  const { query, first } = props;
  // Each refresh would check thousands of messages.
  const isLive = first && query.country === undefined && query.reason === undefined && !query.withoutCode;
  const refresh = {
    'hx-get': urlOf('/messages', query),
    'hx-trigger': 'every 4s',
    'hx-include': '#message-list [name=mark]',
    'hx-swap': 'innerHTML',
    'data-live': 'yes',
  };
  return (
    <div class="message-list">
      {isLive && props.page.messages.length > 0 && (
        <p class={live ? 'live-line on' : 'live-line'} data-needs-script hidden>
          <span>
            {live ? 'Live: new messages appear automatically.' : 'Paused: reload the page to see new messages.'}
          </span>
          <a href={urlOf('/messages', query, { live: live ? 'off' : undefined })}>{live ? 'Pause' : 'Resume'}</a>
        </p>
      )}
      <div id="message-list" {...(live && isLive ? refresh : {})}>
        <ListContent {...props} />
      </div>
    </div>
  );
}
