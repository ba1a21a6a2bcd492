/** The messages of one page of the list; the part of it that renews itself. */
import { sha256 } from '../../platform/crypto.js';
import type { Application } from '../../modules/applications/application.js';
import type { MessagePage } from '../../modules/messages/lookup-service.js';
import { shownState, type Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { Badge } from '../components/badge.js';
import { EmptyState } from '../components/notice.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { isNarrowed, linkTo, placeText, type Asked } from './filter.js';
import { CHANNEL_NAMES, STATES, templateName } from './words.js';

export interface ListProps {
  readonly asked: Asked;
  readonly page: MessagePage;
  readonly applications: readonly Application[];
  /** Whether it is the first page, which new messages come onto. */
  readonly first: boolean;
  /** Whether they do, or the person has stopped it. */
  readonly live: boolean;
}

/** Names what the list shows, so that it is sent again only when there is something new on it. */
export const markOf = ({ messages }: MessagePage): string =>
  sha256(JSON.stringify(messages.map((message) => [message.id, shownState(message), message.channel]))).slice(0, 16);

function StateBadge({ message }: { readonly message: Message }) {
  const { name, kind } = STATES[shownState(message)];
  return <Badge kind={kind}>{name}</Badge>;
}

/** Why a message is where it is, when something went wrong on the way. */
function problemOf({ tried }: Message): string {
  const failed = tried.filter(({ success }) => !success);
  return failed.map(({ channel, message }) => `${CHANNEL_NAMES[channel]}: ${message}`).join('; ');
}

function columnsOf(applications: readonly Application[]): readonly Column<Message>[] {
  const names = new Map(applications.map(({ id, name }) => [id, name]));
  const application: Column<Message> = {
    title: 'Application',
    cell: ({ applicationId }) => names.get(applicationId) ?? '',
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
    {
      title: 'State',
      cell: (message) => (
        <>
          <StateBadge message={message} />
          {problemOf(message) && <span class="problem-line">{problemOf(message)}</span>}
        </>
      ),
    },
    { title: 'Channel', cell: ({ channel }) => <span class="nowrap">{CHANNEL_NAMES[channel]}</span> },
    { title: 'What', cell: ({ template }) => templateName(template) },
    ...(applications.length > 1 ? [application] : []),
    {
      title: 'Accepted',
      cell: ({ createdAt }) => (
        <span class="nowrap">
          <Time ms={createdAt} />
        </span>
      ),
    },
  ];
}

function Nothing({ asked, first, applications }: Pick<ListProps, 'asked' | 'first' | 'applications'>) {
  if (!first) return <EmptyState title="This is the end">There are no older messages.</EmptyState>;
  if (asked.state !== undefined || isNarrowed(asked))
    return (
      <EmptyState
        title="No message fits"
        action={
          <a class="button subtle" href="/dashboard/messages">
            Show all messages
          </a>
        }
      >
        {asked.state === 'failed'
          ? 'There is no dead letter here: every message found a channel that took it.'
          : 'Messages are kept for 30 days after they are done. Look for less, or somewhere else.'}
      </EmptyState>
    );
  const [application] = applications;
  return (
    <EmptyState
      title="No message yet"
      action={
        <a
          class="button"
          href={application ? `/dashboard/applications/${application.appKey}` : '/dashboard/applications'}
        >
          {application ? `To ${application.name}` : 'To the applications'}
        </a>
      }
    >
      As soon as an application sends its first code or notification, you can follow it here: from the moment it is
      accepted until the provider reports that it arrived.
    </EmptyState>
  );
}

/** Tells whether the list renews itself, with a way to stop that; shown where there is script for it. */
function LiveLine({ asked, live }: Pick<ListProps, 'asked' | 'live'>) {
  return (
    <p class={live ? 'live-line on' : 'live-line'} data-needs-script hidden>
      <span>{live ? 'Live: new messages come by themselves.' : 'Paused: reload to see what is new.'}</span>
      <a href={linkTo('/messages', asked, { live: live ? 'off' : undefined })}>{live ? 'Pause' : 'Go live'}</a>
    </p>
  );
}

/** What is replaced when there is something new. */
export function ListContent({ asked, page, applications, first }: Omit<ListProps, 'live'>) {
  const { messages, next } = page;
  return (
    <>
      <input type="hidden" name="mark" value={markOf(page)} />
      {messages.length === 0 ? (
        <Nothing asked={asked} first={first} applications={applications} />
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
            <a class="button subtle" href={linkTo('/messages', asked)}>
              Newest
            </a>
          )}
          {next && (
            <a class="button subtle" rel="next" href={linkTo('/messages', asked, { after: placeText(next) })}>
              Older messages
            </a>
          )}
        </nav>
      )}
    </>
  );
}

/** The list, which asks for itself every few seconds while somebody may be looking. */
export function MessageList({ live, ...props }: ListProps) {
  const { asked, first } = props;
  const renewing = live && first;
  const renew = renewing
    ? {
        'hx-get': linkTo('/messages', asked),
        'hx-trigger': 'every 4s',
        'hx-include': '#message-list [name=mark]',
        'hx-swap': 'innerHTML',
        'data-live': 'yes',
      }
    : {};
  return (
    <div class="message-list">
      {first && <LiveLine asked={asked} live={live} />}
      <div id="message-list" {...renew}>
        <ListContent {...props} />
      </div>
    </div>
  );
}
