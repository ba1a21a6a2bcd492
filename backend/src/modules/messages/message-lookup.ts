/** Looks up messages for the people of an account: by page, by recipient, or all messages for an export. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import type { LookupStore } from './lookup-store.js';
import type { MessageFilter, PagePosition, Message } from './message.js';

/** Messages that an export reads per query, so that other queries do not wait long. */
const EXPORT_CHUNK = 500;

export type MessageLookup = ReturnType<typeof createMessageLookup>;

export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly Message[];
  /** The position of the next page; undefined on the last one. */
  readonly next: PagePosition | undefined;
}

const recipientContext = (accountId: number): string => `message-recipient:${accountId}`;

export function createMessageLookup(store: LookupStore, keyring: Keyring, clock: Clock) {
  async function page(filter: MessageFilter, after: PagePosition | undefined, size: number): Promise<MessagePage> {
    const found = await store.page(filter, { after, limit: size + 1 });
    const shown = found.slice(0, size);
    return { messages: shown, next: found.length > size ? shown.at(-1) : undefined };
  }

  return {
    page,

    /** Seals a recipient for URLs, which end up in browser histories and logs. Undefined if the text is no recipient. */
    sealRecipient(accountId: number, text: string): string | undefined {
      const address = parseRecipient(text)?.address ?? phoneDigits(text);
      return address === undefined ? undefined : keyring.seal(recipientContext(accountId), address);
    },

    /** Reverses {@link sealRecipient}; undefined for text that was not sealed for this account. */
    openRecipient(accountId: number, sealed: string): string | undefined {
      try {
        return keyring.open(recipientContext(accountId), sealed);
      } catch {
        return undefined;
      }
    },

    /** Undefined unless the message belongs to one of these applications. */
    find: (applicationIds: readonly number[], id: string): Promise<Message | undefined> =>
      store.find(applicationIds, id),

    /** All matching messages, in chunks to limit memory use. Messages accepted after the start are left out. */
    async *all(filter: MessageFilter): AsyncGenerator<readonly Message[]> {
      const upToNow = { ...filter, to: Math.min(filter.to ?? Infinity, clock.now() + 1) };
      let next: PagePosition | undefined;
      do {
        const chunk = await page(upToNow, next, EXPORT_CHUNK);
        if (chunk.messages.length > 0) yield chunk.messages;
        next = chunk.next;
      } while (next);
    },
  };
}
