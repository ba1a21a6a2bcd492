/** Messages for the people of an account: found, followed, and sent again when they are dead letters. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { EXPORT_CHUNK } from '../../platform/limits.js';
import type { LookupStore, MessageFilter, Place } from './lookup-store.js';
import { canRetry, type Message } from './message.js';
import type { MessagesStore } from './messages-store.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';

export type MessageLookup = ReturnType<typeof createMessageLookup>;

export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly Message[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: Place | undefined;
}

/** Why a message is not sent again, or that it will be. */
export type RetryResult = 'retried' | 'expired' | 'no dead letter' | 'unknown';

export interface MessageLookupDependencies {
  readonly keyring: Keyring;
  readonly store: LookupStore;
  readonly messages: Pick<MessagesStore, 'revive'>;
  readonly clock: Clock;
}

const nameContext = (accountId: number): string => `message-recipient:${accountId}`;

export function createMessageLookup({ store, messages, keyring, clock }: MessageLookupDependencies) {
  async function page(filter: MessageFilter, after: Place | undefined, size: number): Promise<MessagePage> {
    const found = await store.page(filter, { after, limit: size + 1 });
    const shown = found.slice(0, size);
    return { messages: shown, next: found.length > size ? shown.at(-1) : undefined };
  }

  return {
    page,

    /** Names a recipient in the addresses of an account's pages, which end up in histories and logs; undefined for none. */
    nameRecipient(accountId: number, text: string): string | undefined {
      const address = parseRecipient(text)?.address ?? phoneDigits(text);
      return address === undefined ? undefined : keyring.seal(nameContext(accountId), address);
    },

    /** The recipient that has this name; undefined when it is none of this account. */
    recipientIn(accountId: number, name: string): string | undefined {
      try {
        return keyring.open(nameContext(accountId), name);
      } catch {
        return undefined;
      }
    },

    /** Undefined when none of these applications has it. */
    find: (applicationIds: readonly number[], id: string): Promise<Message | undefined> =>
      store.find(applicationIds, id),

    /** All that fit, in chunks, so that any number of them needs little memory; those that come meanwhile are left out. */
    async *all(filter: MessageFilter): AsyncGenerator<readonly Message[]> {
      const upToNow = { ...filter, to: Math.min(filter.to ?? Infinity, clock.now() + 1) };
      let next: Place | undefined;
      do {
        const chunk = await page(upToNow, next, EXPORT_CHUNK);
        if (chunk.messages.length > 0) yield chunk.messages;
        next = chunk.next;
      } while (next);
    },

    /** Sends a dead letter of these applications again; a running server takes it up at once. */
    async retry(applicationIds: readonly number[], id: string): Promise<RetryResult> {
      const message = await store.find(applicationIds, id);
      if (!message) return 'unknown';
      const now = clock.now();
      if (canRetry(message, now) && (await messages.revive(id, now))) return 'retried';
      return message.state === 'failed' && !canRetry(message, now) ? 'expired' : 'no dead letter';
    },
  };
}
