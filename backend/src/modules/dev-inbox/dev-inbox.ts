/** The dev inbox replaces missing providers during development: it stores messages in memory, where developers can read them. */
import { randomUUID } from 'node:crypto';
import { SECOND, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { Provider, Content, OutgoingMessage } from '../../providers/provider.js';

const DEV_INBOX_SIZE = 500;

/** `subject` and `html` are "" where the channel has none; the `text` of a voice call is what it says. */
export interface InboxMessage {
  readonly id: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly createdTime: number;
}

export interface DevInbox {
  /** The `key` that its address needs; undefined if the inbox is for requests of this machine only. */
  readonly key: string | undefined;
  provider(channel: ChannelName): Provider;
  list(to?: string): InboxMessage[];
  find(id: string): InboxMessage | undefined;
  /** Changes with every delivery and differs between processes. */
  revision(): string;
}

export interface DevInboxOptions {
  /** Whether reading it needs a key, which is new on each start. */
  readonly secret?: boolean;
  /** Number of messages that it keeps. */
  readonly size?: number;
}

export function createDevInbox(
  clock: Pick<Clock, 'now'>,
  { secret = false, size = DEV_INBOX_SIZE }: DevInboxOptions = {},
): DevInbox {
  const messages = new Map<string, InboxMessage>();
  const process = randomUUID();
  let deliveries = 0;

  function deliver(channel: ChannelName, { id, to, content }: OutgoingMessage): void {
    // The message was sent again after a crash.
    if (messages.has(id)) return;
    deliveries++;
    const createdTime = Math.floor(clock.now() / SECOND);
    messages.set(id, { id, channel, to, ...inboxContentOf(content), createdTime });
    if (messages.size > size) messages.delete(messages.keys().next().value!);
  }

  return {
    key: secret ? random.base64url(32) : undefined,
    provider: (channel) => ({
      channel,
      name: 'dev inbox',
      standIn: true,
      async send(message) {
        deliver(channel, message);
        return { providerId: `inbox-${message.id}` };
      },
    }),
    list(to) {
      const wanted = to?.trim() ? canonical(to) : undefined;
      const found = [...messages.values()].reverse();
      return wanted === undefined ? found : found.filter((message) => canonical(message.to) === wanted);
    },
    find: (id) => messages.get(id),
    revision: () => `${process}-${deliveries}`,
  };
}

function inboxContentOf(content: Content): Pick<InboxMessage, 'subject' | 'text' | 'html'> {
  switch (content.kind) {
    case 'text':
      return { subject: '', text: content.text, html: '' };
    case 'speech':
      return { subject: '', text: content.sentences.join('\n'), html: '' };
    case 'email':
      return { subject: content.subject, text: content.text, html: content.html };
  }
}

/** In a query string that was not encoded, a `+` has become a space. */
function canonical(recipient: string): string {
  const trimmed = recipient.trim();
  return trimmed.includes('@')
    ? trimmed.toLowerCase().replaceAll(' ', '+')
    : trimmed.replace(/\D/g, '').replace(/^00/, '');
}
