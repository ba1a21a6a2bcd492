import type { Application } from '../../modules/applications/application.js';
import type { MessagePage } from '../../modules/messages/message-lookup.js';
import { visibleState, type Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { sha256 } from '../../platform/crypto.js';
import { Badge } from '../components/badge.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { isFiltered, positionText, urlOf, type MessageQuery } from './filter.js';
import { CHANNEL_NAMES, stateLabelOf, templateName } from './labels.js';
import { RefusalText } from './refusal.js';

export interface ListProps {
  readonly query: MessageQuery;
  readonly page: MessagePage;
  readonly applications: readonly Application[];
  /** Whether this is the first page of the list. New messages appear only on the first page. */
  readonly first: boolean;
  readonly live: boolean;
}

/** Returns a hash of the messages on a page. If the hash has not changed, the page is not sent again. */
export const versionOfPage = ({ messages }: MessagePage): string =>
  sha256(JSON.stringify(messages.map((message) => [message.id, visibleState(message), message.channel]))).slice(0, 16);

export function problemsOf({ attempts }: Message): string {
  const failed = attempts.filter(({ success }) => !success);
  return failed.map(({ channel, message }) => `${CHANNEL_NAMES[channel]}: ${message}`).join('; ');
}

function columnsOf(applications: readonly Application[]): readonly Column<Message>[] {
  const names = new Map(applications.map(({ id, name }) => [id, name]));
  const application = { title: 'Application', cell: ({ applicationId }: Message) => names.get(applicationId) ?? '' };
  return [
    {
      title: 'To',
      cell: ({ id, recipient }) => (
        <a id={`message-${id}`} class="strong nowrap" href={`/dashboard/messages/${id}`}>
          {maskRecipient(recipient)}
        </a>
      ),
    },
    {
      title: 'State',
      cell: (message) => {
        const { name, kind } = stateLabelOf(message);
        const problems = message.refusal ? <RefusalText message={message} /> : problemsOf(message);
        return (
          <>
            <Badge kind={kind}>{name}</Badge>
            {problems && <span class="problem-line">{problems}</span>}
          </>
        );
      },
    },
    { title: 'Channel', cell: ({ channel }) => <span class="nowrap">{CHANNEL_NAMES[channel]}</span> },
    { title: 'Template', cell: ({ template }) => templateName(template) },
    ...(applications.length > 1 ? [application] : []),
    {
      title: 'Created',
      cell: ({ createdAt }) => (
        <span class="nowrap">
          <Time ms={createdAt} />
        </span>
      ),
    },
  ];
}

function NoMessages({ query, first, applications }: Omit<ListProps, 'live' | 'page'>) {
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
        {query.state === 'failed'
          ? 'No failed messages. A provider accepted every message.'
          : 'Messages are kept for 30 days. Try fewer filters.'}
      </EmptyState>
    );
  return (
    <EmptyState title="No messages yet" action={<ApplicationButton application={applications[0]} />}>
      When an application sends its first code or notification, you can follow it here, from the request until the
      provider reports the delivery.
    </EmptyState>
  );
}

export function ListContent({ query, page, applications, first }: Omit<ListProps, 'live'>) {
  const { messages, next } = page;
  return (
    <>
      <input type="hidden" name="mark" value={versionOfPage(page)} />
      {messages.length === 0 ? (
        <NoMessages query={query} first={first} applications={applications} />
      ) : (
        <Table
          caption="Messages, newest first"
          columns={columnsOf(applications)}
          rows={messages}
          keyOf={({ id }) => id}
        />
      )}
      {(next || !first) && (
        <nav class="paging" aria-label="Pages">
          {!first && (
            <a class="button subtle" href={urlOf('/messages', query)}>
              Newest
            </a>
          )}
          {next && (
            <a class="button subtle" rel="next" href={urlOf('/messages', query, { after: positionText(next) })}>
              Older messages
            </a>
          )}
        </nav>
      )}
    </>
  );
}

export function MessageList({ live, ...props }: ListProps) {
  const { query, first } = props;
  const refresh = {
    'hx-get': urlOf('/messages', query),
    'hx-trigger': 'every 4s',
    'hx-include': '#message-list [name=mark]',
    'hx-swap': 'innerHTML',
    'data-live': 'yes',
  };
  return (
    <div class="message-list">
      {first && (
        <p class={live ? 'live-line on' : 'live-line'} data-needs-script hidden>
          <span>
            {live ? 'Live: new messages appear automatically.' : 'Paused: reload the page to see new messages.'}
          </span>
          <a href={urlOf('/messages', query, { live: live ? 'off' : undefined })}>{live ? 'Pause' : 'Resume'}</a>
        </p>
      )}
      <div id="message-list" {...(live && first ? refresh : {})}>
        <ListContent {...props} />
      </div>
    </div>
  );
}
