/** A client for the Twilio account, which the SMS, WHATSAPP and VOICE providers share. */
import type { Twilio as Sdk } from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { SECOND, type Clock } from '../platform/clock.js';
import type { Keyring } from '../platform/crypto.js';
import { loadOnce } from '../platform/load-once.js';
import type { OnReply } from './provider-type.js';
import { sealSpeech, speechUrl, type CallbackUrlFor } from './twilio-callbacks.js';
import { TwilioRequestClient } from './twilio-http.js';
import type { Speech } from './twilio-speech.js';

interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  readonly apiUrl?: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onReply?: OnReply | undefined;
  /** The callback URLs, and the keyring that seals content in them; undefined if Twilio cannot reach this service. */
  readonly callbacks?: { readonly urlFor: CallbackUrlFor; readonly keyring: Keyring } | undefined;
}

export type Twilio = ReturnType<typeof createTwilio>;

/**
 * After a crash, at most this many of a recipient's latest messages are searched. Rate limits keep the actual number
 * far lower.
 */
export const SEARCH_LIMIT = 20;

/**
 * Creates a Twilio client. The SDK is the largest dependency and many processes never need it, so it is loaded on first
 * use.
 */
export function createTwilio({ accountSid, authToken, apiUrl, timeoutMs, clock, callbacks, onReply }: TwilioOptions) {
  const httpClient = new TwilioRequestClient(timeoutMs, clock, apiUrl, onReply);
  const loadSdk = loadOnce(async (): Promise<Sdk> => {
    const { default: twilio } = await import('twilio');
    // The SDK only calls `request`.
    return twilio(accountSid, authToken, { httpClient: httpClient as Partial<RequestClient> as RequestClient });
  });

  return {
    callbackFor: (messageId: string): { readonly statusCallback?: string } =>
      callbacks === undefined ? {} : { statusCallback: callbacks.urlFor(messageId) },
    /**
     * The URL of the script that Twilio runs after the key press in a call; undefined if Twilio cannot reach this
     * service.
     */
    speechUrl: (messageId: string, speech: Speech): string | undefined =>
      callbacks && speechUrl(callbacks.urlFor, messageId, sealSpeech(callbacks.keyring, messageId, speech)),
    async create(run: (sdk: Sdk) => Promise<{ readonly sid: string }>): Promise<{ readonly providerId: string }> {
      const sdk = await loadSdk();
      const { sid } = await run(sdk);
      return { providerId: sid };
    },
    /** Looks up the newest matching message or call that was created at or after `since` (epoch milliseconds). */
    async find<T extends { readonly sid: string; readonly dateCreated: Date }>(
      list: (sdk: Sdk) => Promise<T[]>,
      since: number,
      matches: (record: T) => boolean = () => true,
    ): Promise<{ readonly providerId: string } | undefined> {
      const sdk = await loadSdk();
      // Rounds down, because Twilio stores times in whole seconds.
      const from = Math.floor(since / SECOND) * SECOND;
      const record = (await list(sdk)).find((item) => item.dateCreated.getTime() >= from && matches(item));
      return record && { providerId: record.sid };
    },
    /** Throws a {@link ProviderError} if Twilio rejects the credentials or cannot be reached. */
    async checkCredentials(): Promise<void> {
      const sdk = await loadSdk();
      await sdk.messages.list({ limit: 1 });
    },
    close: () => httpClient.close(),
  };
}
