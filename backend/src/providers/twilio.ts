/** The Twilio account that SMS, WHATSAPP and VOICE share. */
import type { Twilio as Sdk } from 'twilio';
import { SECOND } from '../platform/clock.js';
import { callbackUrl } from './twilio-callbacks.js';
import type { TwilioRequestClient } from './twilio-http.js';

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** Another address for the same API. */
  readonly apiUrl?: string | undefined;
  readonly timeoutMs: number;
  /** The service's address, to report deliveries to; without it nothing is reported. */
  readonly callbackBaseUrl?: string | undefined;
}

export interface Twilio {
  /** The parameter that has the delivery of this message reported. */
  callbackFor(messageId: string): { readonly statusCallback?: string };
  /** Makes one paid request through the SDK; answers the sid of what it created. Throws a `ChannelError`. */
  create(run: (sdk: Sdk) => Promise<{ readonly sid: string }>): Promise<{ readonly providerId: string }>;
  /** Asks for what the account sent since `since` (milliseconds), newest first, as far as `matches` it. */
  find<T extends TwilioRecord>(
    list: (sdk: Sdk) => Promise<T[]>,
    since: number,
    matches: (record: T) => boolean,
  ): Promise<{ readonly providerId: string } | undefined>;
  /** Lets go of connections. */
  close(): void;
}

/** What messages and calls have in common when Twilio lists them. */
export interface TwilioRecord {
  readonly sid: string;
  readonly dateCreated: Date;
}

/** How many of a recipient's latest messages are looked through: limits allow a recipient far fewer in a crash's time. */
export const LATEST = 20;

/** Loads the SDK at the first use only: it is the largest dependency, and many processes never send. */
export function createTwilio({ accountSid, authToken, apiUrl, timeoutMs, callbackBaseUrl }: TwilioOptions): Twilio {
  let loaded: Promise<{ sdk: Sdk; httpClient: TwilioRequestClient }> | undefined;

  async function load() {
    const [{ default: twilio }, { TwilioRequestClient }] = await Promise.all([
      import('twilio'),
      import('./twilio-http.js'),
    ]);
    const httpClient = new TwilioRequestClient(timeoutMs, apiUrl);
    return { sdk: twilio(accountSid, authToken, { httpClient }), httpClient };
  }

  return {
    callbackFor: (messageId) =>
      callbackBaseUrl === undefined ? {} : { statusCallback: callbackUrl(callbackBaseUrl, messageId) },
    async create(run) {
      const { sdk } = await (loaded ??= load());
      const { sid } = await run(sdk);
      return { providerId: sid };
    },
    async find(list, since, matches) {
      const { sdk } = await (loaded ??= load());
      // Twilio's times have whole seconds.
      const from = Math.floor(since / SECOND) * SECOND;
      const record = (await list(sdk)).find((item) => item.dateCreated.getTime() >= from && matches(item));
      return record && { providerId: record.sid };
    },
    close() {
      void loaded?.then(({ httpClient }) => httpClient.close());
    },
  };
}
