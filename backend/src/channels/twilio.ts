/** The Twilio account that SMS, WHATSAPP and VOICE share. */
import type { Twilio as Sdk } from 'twilio';
import type { TwilioRequestClient } from './twilio-http.js';

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** Another address for the same API. */
  readonly apiUrl?: string | undefined;
  readonly timeoutMs: number;
}

export interface Twilio {
  /** Makes one paid request through the SDK; answers the sid of what it created. Throws a `ChannelError`. */
  create(run: (sdk: Sdk) => Promise<{ readonly sid: string }>): Promise<{ readonly providerId: string }>;
  /** Lets go of connections. */
  close(): void;
}

/** Loads the SDK at the first use only: it is the largest dependency, and many processes never send. */
export function createTwilio({ accountSid, authToken, apiUrl, timeoutMs }: TwilioOptions): Twilio {
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
    async create(run) {
      const { sdk } = await (loaded ??= load());
      const { sid } = await run(sdk);
      return { providerId: sid };
    },
    close() {
      void loaded?.then(({ httpClient }) => httpClient.close());
    },
  };
}
