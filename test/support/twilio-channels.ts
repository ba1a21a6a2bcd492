/** Channels on a local Twilio, for the tests of channels: new for each test. */
import { ChannelError, type Channel, type OutgoingMessage } from '../../backend/src/providers/provider.js';
import { createTwilioSmsChannel } from '../../backend/src/providers/twilio-sms.js';
import { createTwilio, type Twilio } from '../../backend/src/providers/twilio.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { startTwilioServer, type TwilioServer } from './twilio-server.js';

export const FROM = '+14155550100';
export const TO = '+14155550123';
export const CODE = '093518';

export const otp = (channel: 'SMS' | 'WHATSAPP' | 'VOICE', application = 'Harbor Books'): OutgoingMessage => ({
  id: 'msg_01',
  to: TO,
  content: renderOtp(channel, { code: CODE, minutes: 5, application }),
});

/** What the tests of a file stand on. */
export interface TwilioStage {
  readonly server: TwilioServer;
  readonly twilio: Twilio;
  readonly sms: Channel;
  /** The account again, in another way. */
  connect(overrides?: { apiUrl?: string; timeoutMs?: number; authToken?: string }): Twilio;
  /** Runs at the end of the test, the last one first. */
  onEnd(cleanUp: () => unknown): void;
  /** The error of a send that must fail; it may tell nothing of the message and the account. */
  failure(message?: OutgoingMessage, by?: Channel): Promise<ChannelError>;
}

/** Registers the hooks that start and stop all of it; the stage is there as soon as tests run. */
export function setTwilioStage(): TwilioStage {
  const cleanUps: (() => unknown)[] = [];
  const stage: { -readonly [Part in keyof TwilioStage]: TwilioStage[Part] } = {
    ...({} as Pick<TwilioStage, 'server' | 'twilio' | 'sms'>),
    connect(overrides = {}) {
      const { accountSid, authToken, url: apiUrl } = stage.server;
      const made = createTwilio({ accountSid, authToken, apiUrl, timeoutMs: 5000, ...overrides });
      cleanUps.push(() => made.close());
      return made;
    },
    onEnd: (cleanUp) => void cleanUps.push(cleanUp),
    async failure(message = otp('SMS'), by = stage.sms) {
      const error: unknown = await by.send(message).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ChannelError);
      for (const secret of [TO.slice(1), CODE, stage.server.authToken, stage.server.accountSid])
        expect((error as ChannelError).reason).not.toContain(secret);
      return error as ChannelError;
    },
  };
  beforeEach(async () => {
    stage.server = await startTwilioServer();
    cleanUps.push(() => stage.server.close());
    stage.twilio = stage.connect();
    stage.sms = createTwilioSmsChannel(stage.twilio, { from: FROM });
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  return stage;
}
