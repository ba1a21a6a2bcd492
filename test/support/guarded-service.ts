/** Starts the service with a fake SMS provider and a sender in the United States, so that the fraud guard is active. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, SECOND } from '../../backend/src/platform/clock.js';
import { NO_LIMITS, startService, type Body, type TestService } from './service.js';
import { startTwilioServer, type TwilioServer } from './twilio-server.js';
import { until } from './wait.js';

/** The time after which every process has loaded the counts of the other processes. */
export const SEEN_MS = 2 * SECOND;
/** The time after which every process has loaded the conversions again. */
export const LEARNED_MS = 10 * SECOND;

export interface GuardedService {
  readonly passbell: TestService;
  readonly twilio: TwilioServer;
  /** Credentials of the application that sends the messages. */
  readonly keys: TestService['keys'];
  /** All settings of the service, for running the command. */
  readonly settings: Record<string, string>;
  send(to: string, parameters?: object): Promise<Body>;
  /** Sends to the numbers one by one, slowly enough for every process to load the earlier counts. */
  sendToAll(numbers: readonly string[], parameters?: object): Promise<Body[]>;
  /** Sends to the numbers at the same time. Afterwards, waits until every process can load the new counts. */
  sendAtOnce(numbers: readonly string[], parameters?: object): Promise<Body[]>;
  /** Sends a code, and verifies it. */
  verify(to: string, parameters?: object): Promise<void>;
  /** Makes a conversion of 70% in the United States usual for the last week. */
  learnConversion(): Promise<void>;
  /** Sends all further messages from a new application, so that tests can share the service without sharing counts. */
  useNewApplication(): Promise<void>;
  /** Returns the ID of the application. */
  applicationId(): Promise<number>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Returns consecutive numbers. `prefix` contains all but the last two digits. */
export const numbers = (prefix: string, count: number, first = 10): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${first + n}`);

/** Prices of SMS by country, such as `{ '*': '0.05' }`. */
type SmsPrices = Readonly<Record<string, string>>;

/** Without prices, all messages are free. */
export async function startGuardedService(
  settings: Record<string, string> = {},
  prices?: SmsPrices,
  currency = 'EUR',
): Promise<GuardedService> {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
  const pricesFile = join(folder, 'prices.json');
  writeFileSync(pricesFile, JSON.stringify({ currency, prices: { SMS: prices } }));
  const twilio = await startTwilioServer();
  const allSettings = {
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+12125550100',
    ...(prices && { PRICES_FILE: pricesFile }),
    ...settings,
  };
  let passbell = await startService(allSettings);
  let keys = await passbell.application(NO_LIMITS);
  const guarded: GuardedService = {
    get passbell() {
      return passbell;
    },
    get keys() {
      return keys;
    },
    twilio,
    settings: allSettings,
    send: (to, parameters = {}) => passbell.post('/auth/sendotp', { to, ...parameters }, { keys }),
    async sendToAll(all, parameters) {
      const replies: Body[] = [];
      for (const to of all) {
        replies.push(await guarded.send(to, parameters));
        passbell.clock.advance(SEEN_MS);
      }
      return replies;
    },
    async sendAtOnce(all, parameters) {
      const replies = await Promise.all(all.map((to) => guarded.send(to, parameters)));
      passbell.clock.advance(SEEN_MS);
      return replies;
    },
    async verify(to, parameters) {
      const received = () => twilio.requests.filter(({ form }) => form.To === to);
      const earlier = received().length;
      const { data } = await guarded.send(to, parameters);
      // The reply can come first, because tests that verify several codes at once advance the clock meanwhile.
      const request = await until(`a message to ${to}`, () => received()[earlier]);
      const otp = /\d{6}/.exec(request.form.Body!)![0];
      const reply = await passbell.post('/auth/verifyotp', { maskId: data.results[0].maskId, otp }, { keys });
      if (!reply.success) throw new Error(`the code was rejected: ${JSON.stringify(reply)}`);
      passbell.clock.advance(SEEN_MS);
    },
    async learnConversion() {
      const db = passbell.openDatabase();
      const day = Math.floor(passbell.clock.now() / DAY) * DAY;
      const row = { application_id: await guarded.applicationId(), country: 'US', sent: 1000, verified: 700 };
      await db('fraud_days').insert([row, { ...row, day: day - DAY }].map((one) => ({ day: day - 8 * DAY, ...one })));
      await db.destroy();
      passbell.clock.advance(LEARNED_MS);
    },
    async useNewApplication() {
      keys = await passbell.application(NO_LIMITS);
      twilio.forgetRequests();
      twilio.respondWith('accept');
    },
    applicationId: async () => (await passbell.core.applications.service.load(keys.appKey)).id,
    async restart() {
      passbell = await passbell.restart();
    },
    async close() {
      await passbell.stop();
      await twilio.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return guarded;
}
