/** Looks up messages, page by page or for an export, and encrypts recipients for URLs. */
import type { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Keyring } from '../../platform/crypto.js';
import { callingCodeOf } from '../recipients/country.js';
import { countryOf, parseRecipient, phoneDigits } from '../recipients/recipient.js';
import type { Addressed, LookupStore, PageRequest } from './lookup-store.js';
import type { MessageFilter, PagePosition } from './message-filter.js';
import type { Message } from './message.js';
import { messageView } from './message-view.js';

/** Number of messages that an export reads per query. Small, so that other queries do not have to wait long. */
const EXPORT_CHUNK = 500;
/** Number of messages for which a page checks a condition, and that it reads per query. */
export const MAX_CHECKED = 5000;
const CHECKED_CHUNK = 1000;

export type MessageLookup = ReturnType<typeof createMessageLookup>;

export interface MessagePage {
  /** The page's messages, newest first. */
  readonly messages: readonly Message[];
  /** Position of the last message that was shown, or checked; undefined on the last page. */
  readonly next: PagePosition | undefined;
}

const recipientContext = (accountId: number): string => `message-recipient:${accountId}`;

export function createMessageLookup(store: LookupStore, keyring: Keyring, clock: Clock, currency: () => string) {
  /** Reads a page of messages. Leaves out those to other countries, but returns the position of the last message. */
  async function read(filter: MessageFilter, page: PageRequest) {
    const { country } = filter;
    if (country === undefined) {
      const messages = await store.page(filter, page);
      return { messages, count: messages.length, last: messages.at(-1) };
    }
    const all = await store.recipients(filter, page);
    const code = callingCodeOf(country);
    const isTo = ({ recipient }: Addressed) => recipient.startsWith(code) && countryOf(recipient) === country;
    const messages = await store.withIds(all.filter(isTo).map(({ id }) => id));
    return { messages, count: all.length, last: all.at(-1) };
  }

  async function page(filter: MessageFilter, after: PagePosition | undefined, size: number): Promise<MessagePage> {
    const { country, condition = () => true, keep = (messages) => messages } = filter;
    const limit = country !== undefined || filter.condition || filter.keep ? CHECKED_CHUNK : size + 1;
    const found: Message[] = [];
    let last = after;
    let isEnd = false;
    for (let checked = 0; !isEnd && found.length <= size && checked < MAX_CHECKED; checked += limit) {
      const some = await read(filter, { after: last, limit });
      found.push(...(await keep(some.messages.filter(condition))));
      isEnd = some.count < limit;
      last = some.last ?? last;
    }
    const messages = found.slice(0, size);
    if (found.length > size) return { messages, next: messages.at(-1) };
    return { messages, next: isEnd ? undefined : last };
  }

  /** Returns a message in the API format. Throws if the application has no message with this id. */
  async function view(applicationId: number, id: string): Promise<Schemas['Message']> {
    const message = await store.find([applicationId], id);
    // MySQL compares ids case-insensitively.
    if (message?.id !== id) throw new ApiError('MESSAGE_NOT_FOUND');
    return messageView(message, currency());
  }

  return {
    ...store,
    page,
    view,

    /** Encrypts a recipient for URLs, because browser histories and logs store URLs; undefined for invalid text. */
    sealRecipient(accountId: number, text: string): string | undefined {
      const address = parseRecipient(text)?.address ?? phoneDigits(text);
      return address === undefined ? undefined : keyring.seal(recipientContext(accountId), address);
    },

    /** Decrypts a recipient. Returns undefined for text that {@link sealRecipient} did not return for this account. */
    openRecipient: (accountId: number, sealed: string): string | undefined =>
      keyring.openIfValid(recipientContext(accountId), sealed),

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
