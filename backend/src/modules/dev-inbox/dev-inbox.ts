/** Stands in for the channels that have no provider: it keeps what a phone or mailbox would have got, in memory only. */
import { randomUUID } from 'node:crypto';
import type { Channel, ChannelName, Content, OutgoingMessage } from '../../providers/provider.js';
import { SECOND, type Clock } from '../../platform/clock.js';
import { DEV_INBOX_SIZE } from '../../platform/limits.js';

/** A delivered message. `subject` and `html` are "" where the channel has none; a call's `text` is what it says. */
export interface InboxMessage {
  readonly id: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Unix seconds. */
  readonly createdTime: number;
}

export interface DevInbox {
  /** A channel that delivers here. */
  channel(name: ChannelName): Channel;
  /** What is kept, newest first; with `to` what that recipient got, in whatever way it is spelled. */
  list(to?: string): InboxMessage[];
  find(id: string): InboxMessage | undefined;
  /** Changes with every delivery and differs between processes. */
  revision(): string;
}

/** Keeps the newest `size` messages. */
export function createDevInbox(clock: Pick<Clock, 'now'>, size: number = DEV_INBOX_SIZE): DevInbox {
  const messages = new Map<string, InboxMessage>();
  const process = randomUUID();
  let deliveries = 0;

  function deliver(channel: ChannelName, { id, to, content }: OutgoingMessage): void {
    // A message that is sent again after a crash is still one message.
    if (messages.has(id)) return;
    deliveries++;
    const createdTime = Math.floor(clock.now() / SECOND);
    messages.set(id, { id, channel, to, ...readable(content), createdTime });
    if (messages.size > size) messages.delete(messages.keys().next().value!);
  }

  return {
    channel: (name) => ({
      name,
      provider: 'dev inbox',
      standIn: true,
      async send(message) {
        deliver(name, message);
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

function readable(content: Content): Pick<InboxMessage, 'subject' | 'text' | 'html'> {
  switch (content.kind) {
    case 'text':
      return { subject: '', text: content.text, html: '' };
    case 'speech':
      return { subject: '', text: content.sentences.join('\n'), html: '' };
    case 'email':
      return { subject: content.subject, text: content.text, html: content.html };
  }
}

/** One spelling of a recipient. In a query that was not encoded, a `+` has become a space. */
function canonical(recipient: string): string {
  const trimmed = recipient.trim();
  return trimmed.includes('@')
    ? trimmed.toLowerCase().replaceAll(' ', '+')
    : trimmed.replace(/\D/g, '').replace(/^00/, '');
}
