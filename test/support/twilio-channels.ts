/** Twilio providers and a fake Twilio server, created for each test. */
import { systemClock } from '../../backend/src/platform/clock.js';
import { ProviderError, type Provider, type OutgoingMessage } from '../../backend/src/providers/provider.js';
import { createTwilioSmsProvider } from '../../backend/src/providers/twilio-sms.js';
import { createTwilio, type Twilio } from '../../backend/src/providers/twilio.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { startTwilioServer, type TwilioServer } from './twilio-server.js';
import { LIBRARY_TIMEOUT_MS } from './wait.js';

export const FROM = '+14155550100';
export const TO = '+14155550123';
export const CODE = '093518';

export const otp = (channel: 'SMS' | 'WHATSAPP' | 'VOICE', application = 'Harbor Books'): OutgoingMessage => ({
  id: 'msg_01',
  applicationId: 1,
  to: TO,
  content: renderOtp(channel, { code: CODE, minutes: 5, application }),
});

/** The server and providers of the current test. */
export interface TwilioFixture {
  readonly server: TwilioServer;
  readonly twilio: Twilio;
  readonly sms: Provider;
  /** Creates another client for the same account. */
  connect(overrides?: { apiUrl?: string; timeoutMs?: number; authToken?: string }): Twilio;
  /** Registers a clean-up function that runs after the test. Clean-up functions run in reverse order. */
  onEnd(cleanUp: () => unknown): void;
  /**
   * Sends a message that must fail. Returns the error, and asserts that it reveals neither the message nor the account.
   */
  failure(message?: OutgoingMessage, by?: Provider): Promise<ProviderError>;
}

/** Registers the hooks that start and stop the fixture. The returned fixture can be used only inside tests. */
export function setUpTwilio(): TwilioFixture {
  const cleanUps: (() => unknown)[] = [];
  const fixture: { -readonly [Part in keyof TwilioFixture]: TwilioFixture[Part] } = {
    ...({} as Pick<TwilioFixture, 'server' | 'twilio' | 'sms'>),
    connect(overrides = {}) {
      const { accountSid, authToken, url: apiUrl } = fixture.server;
      const client = createTwilio({
        accountSid,
        authToken,
        apiUrl,
        clock: systemClock,
        timeoutMs: LIBRARY_TIMEOUT_MS,
        ...overrides,
      });
      cleanUps.push(() => client.close());
      return client;
    },
    onEnd: (cleanUp) => void cleanUps.push(cleanUp),
    async failure(message = otp('SMS'), by = fixture.sms) {
      const error: unknown = await by.send(message).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ProviderError);
      for (const secret of [TO.slice(1), CODE, fixture.server.authToken, fixture.server.accountSid])
        expect((error as ProviderError).reason).not.toContain(secret);
      return error as ProviderError;
    },
  };
  beforeEach(async () => {
    fixture.server = await startTwilioServer();
    cleanUps.push(() => fixture.server.close());
    fixture.twilio = fixture.connect();
    fixture.sms = createTwilioSmsProvider(fixture.twilio, { from: FROM });
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  return fixture;
}
