/** Looks up messages, page by page or for an export, and encrypts recipients for URLs. */
import type { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Keyring } from '../../platform/crypto.js';
import { countryOf, parseRecipient, phoneDigits } from '../recipients/recipient.js';
import type { LookupStore } from './lookup-store.js';
import type { MessageFilter, PagePosition } from './message-filter.js';
import type { Message } from './message.js';
import { messageView } from './message-view.js';

/** Number of messages that an export reads per query. Small, so that other queries do not have to wait long. */
const EXPORT_CHUNK = 500;

export type MessageLookup = ReturnType<typeof createMessageLookup>;

export interface MessagePage {
  /** The page's messages, newest first. */
  readonly messages: readonly Message[];
  /** Position of this page's last message; undefined on the last page. */
  readonly next: PagePosition | undefined;
}

const recipientContext = (accountId: number): string => `message-recipient:${accountId}`;

export function createMessageLookup(store: LookupStore, keyring: Keyring, clock: Clock, currency: () => string) {
  async function page(filter: MessageFilter, after: PagePosition | undefined, size: number): Promise<MessagePage> {
    const { country } = filter;
    const found: Message[] = [];
    let last = after;
    for (let isEnd = false; !isEnd && found.length <= size;) {
      const some = await store.page(filter, { after: last, limit: size + 1 });
      found.push(...some.filter(({ recipient }) => country === undefined || countryOf(recipient) === country));
      isEnd = some.length <= size;
      last = some.at(-1);
    }
    const shown = found.slice(0, size);
    return { messages: shown, next: found.length > size ? shown.at(-1) : undefined };
  }

  /** Returns a message in the API format. Throws if the application has no message with this id. */
  async function view(applicationId: number, id: string): Promise<Schemas['Message']> {
    const message = await store.find([applicationId], id);
    // MySQL compares ids case-insensitively.
    if (message?.id !== id) throw new ApiError('MESSAGE_NOT_FOUND');
    return messageView(message, currency());
  }

  return {
    page,
    view,
    find: store.find,
    perHour: store.perHour,
    /** Counts the matching messages; stops at `limit`. */
    async count(filter: MessageFilter, limit: number): Promise<number> {
      return filter.country === undefined
        ? store.count(filter, limit)
        : (await page(filter, undefined, limit)).messages.length;
    },
    findByRequestId: store.findByRequestId,
    recipientsEndingIn: store.recipientsEndingIn,
    newest: store.newest,
    newestTo: store.newestTo,
    rescued: store.rescued,

    /** Encrypts a recipient for URLs, because browser histories and logs store URLs; undefined for invalid text. */
    sealRecipient(accountId: number, text: string): string | undefined {
      const address = parseRecipient(text)?.address ?? phoneDigits(text);
      return address === undefined ? undefined : keyring.seal(recipientContext(accountId), address);
    },

    /** Decrypts a recipient. Returns undefined for text that {@link sealRecipient} did not return for this account. */
    openRecipient(accountId: number, sealed: string): string | undefined {
      try {
        return keyring.open(recipientContext(accountId), sealed);
      } catch {
        return undefined;
      }
    },

    /** Reads all matching messages in chunks, to limit memory use. Leaves out messages created after the call. */
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
