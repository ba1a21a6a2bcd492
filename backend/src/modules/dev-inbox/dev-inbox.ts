/**
 * The dev inbox replaces missing providers during development. It stores messages in memory, for developers to read;
 * dev-inbox-file.ts keeps them over a restart.
 */
import { randomUUID } from 'node:crypto';
import { SECOND, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { Provider, Content, OutgoingMessage } from '../../providers/provider.js';

const DEV_INBOX_SIZE = 500;

/**
 * `subject` and `html` are "" on channels without them, and `code` is "" in messages without a code. For a voice call,
 * `text` is the spoken text.
 */
export interface InboxMessage {
  readonly id: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly code: string;
  readonly createdTime: number;
}

export interface StoredMessage {
  readonly applicationId: number;
  readonly message: InboxMessage;
}

export interface DevInbox {
  /** The `key` parameter of the inbox URL. A new key is created at each start. */
  readonly key: string;
  /** Whether every request needs the key. If false, only the dashboard's messages need it. */
  readonly needsKey: boolean;
  provider(channel: ChannelName): Provider;
  /** Lists messages, newest first. `to`: a recipient. `withheld`: id of an application whose messages are left out. */
  list(to?: string, withheld?: number): InboxMessage[];
  /** Lists an application's messages to a recipient, newest first. */
  listOf(applicationId: number, to: string): InboxMessage[];
  find(id: string, withheld?: number): InboxMessage | undefined;
  /** Removes all messages, except those of the application `withheld`. */
  clear(withheld?: number): void;
  erase(applicationId: number, to: string): number;
  /** Returns all messages, oldest first. */
  stored(): StoredMessage[];
  /** Adds messages that {@link stored} returned before the restart. */
  restore(messages: readonly StoredMessage[]): void;
  /** Returns a value that changes with every change of the messages, and differs between processes. */
  revision(): string;
}

interface DevInboxOptions {
  readonly needsKey?: boolean;
  /** Maximum number of stored messages. */
  readonly size?: number;
}

export function createDevInbox(
  clock: Pick<Clock, 'now'>,
  { needsKey = false, size = DEV_INBOX_SIZE }: DevInboxOptions = {},
): DevInbox {
  const deliveredById = new Map<string, StoredMessage>();
  const processId = randomUUID();
  let changes = 0;

  function deliver(channel: ChannelName, { id, applicationId, to, content }: OutgoingMessage): void {
    // After a crash, a worker may send a message again. The inbox already contains such a message.
    if (deliveredById.has(id)) return;
    changes++;
    const createdTime = Math.floor(clock.now() / SECOND);
    const message = { id, channel, to, ...inboxContentOf(content), createdTime };
    deliveredById.set(id, { applicationId, message });
    if (deliveredById.size > size) deliveredById.delete(deliveredById.keys().next().value!);
  }

  const isTo = (applicationId: number, to: string) => {
    const recipient = comparableRecipient(to);
    return (stored: StoredMessage) =>
      stored.applicationId === applicationId && comparableRecipient(stored.message.to) === recipient;
  };

  /** Removes the messages that match. Returns their number. */
  function remove(matches: (stored: StoredMessage) => boolean): number {
    const removed = [...deliveredById.values()].filter(matches);
    for (const { message } of removed) deliveredById.delete(message.id);
    changes++;
    return removed.length;
  }

  return {
    key: random.base64url(32),
    needsKey,
    provider: (channel) => ({
      channel,
      name: 'dev inbox',
      standIn: true,
      async send(message) {
        deliver(channel, message);
        return { providerId: `inbox-${message.id}` };
      },
    }),
    list(to, withheld) {
      const wanted = to?.trim() ? comparableRecipient(to) : undefined;
      const visible = [...deliveredById.values()].filter(({ applicationId }) => applicationId !== withheld);
      const found = visible.map(({ message }) => message).reverse();
      return wanted === undefined ? found : found.filter((message) => comparableRecipient(message.to) === wanted);
    },
    listOf: (applicationId, to) =>
      [...deliveredById.values()]
        .filter(isTo(applicationId, to))
        .map(({ message }) => message)
        .reverse(),
    find(id, withheld) {
      const delivered = deliveredById.get(id);
      return delivered?.applicationId === withheld ? undefined : delivered?.message;
    },
    clear: (withheld) => void remove(({ applicationId }) => applicationId !== withheld),
    erase: (applicationId, to) => remove(isTo(applicationId, to)),
    stored: () => [...deliveredById.values()],
    restore(messages) {
      for (const stored of messages) deliveredById.set(stored.message.id, stored);
    },
    revision: () => `${processId}-${changes}`,
  };
}

function inboxContentOf(content: Content): Pick<InboxMessage, 'subject' | 'text' | 'html' | 'code'> {
  const { code = '' } = content;
  switch (content.kind) {
    case 'text':
      return { subject: '', text: content.text, html: '', code };
    case 'speech':
      return { subject: '', text: content.sentences.join('\n'), html: '', code };
    case 'email':
      return { subject: content.subject, text: content.text, html: content.html, code };
  }
}

/** Normalizes a recipient for comparison. A space stands for a `+` that was not encoded in a query string. */
function comparableRecipient(recipient: string): string {
  const trimmed = recipient.trim();
  return trimmed.includes('@')
    ? trimmed.toLowerCase().replaceAll(' ', '+')
    : trimmed.replace(/\D/g, '').replace(/^00/, '');
}
