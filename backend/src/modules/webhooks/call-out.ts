/** Sends POST requests to webhooks. */
import { printable } from '../../platform/control-characters.js';
import type { AddressRules } from '../../platform/http/checked-address.js';
import { createExchange, ExchangeError, type HttpReply } from '../../platform/http/exchange.js';

/** Time limit for a request to a webhook; servers should accept the event and process it later. */
export const WEBHOOK_TIMEOUT_MS = 5000;
/** Number of characters of a reply that are stored for the log. */
const STORED_REPLY_LENGTH = 500;

export type CallOut = ReturnType<typeof createCallOut>;

export function createCallOut(rules: AddressRules) {
  // A reused connection could go to an address that the name no longer resolves to.
  const exchange = createExchange(rules, { reuseConnections: false });

  return {
    /** If private addresses are allowed, the host name does not have to resolve yet. */
    mayCall: async (url: URL): Promise<boolean> => rules.allowPrivate || exchange.mayCall(url, WEBHOOK_TIMEOUT_MS),

    /**
     * Returns the status and the start of the reply, for the webhook's log. Throws an {@link ExchangeError} if there is
     * no reply in time.
     */
    async post({ href: url }: URL, headers: Readonly<Record<string, string>>, body: string) {
      const request = { method: 'POST', url, headers: { ...headers, 'Content-Type': 'application/json' }, body };
      const { status, text } = await exchange.send(request, WEBHOOK_TIMEOUT_MS).catch(partialReplyOf);
      return { status, text: startOfReply(text) };
    },
  };
}

/** Returns the beginning of a reply that broke off, because only its status matters. Throws any other error. */
function partialReplyOf(error: unknown): HttpReply {
  if (error instanceof ExchangeError && error.partialReply && !error.timedOut) return error.partialReply;
  throw error;
}

/** Returns the start of a reply, without control characters. Replaces digits that could be a code with `…`. */
function startOfReply(reply: string): string {
  const text = printable(reply).replace(/\d{4,}/g, '…');
  return text.length > STORED_REPLY_LENGTH ? `${text.slice(0, STORED_REPLY_LENGTH)}…` : text;
}
