/** Send plans: the recipient and the channels of a send. */
import { DEFAULT_SETTINGS, type Application } from '../../backend/src/modules/applications/application.js';
import { channelOf } from '../../backend/src/platform/contract/auth-types.js';
import { burstRule, planSend, testOutcome } from '../../backend/src/modules/messages/send-plan.js';
import { ApiError } from '../../backend/src/platform/contract/errors.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import type { Provider } from '../../backend/src/providers/provider.js';

const PHONE = '+14155550123';
const REAL_PHONE = '+14155552671';
const EXAMPLE_PHONE = '+15550100123';

const application = (settings: Partial<Application['settings']> = {}): Application =>
  ({ id: 3, settings: { ...DEFAULT_SETTINGS, ...settings } }) as Application;

/** Returns providers for these channels. A lower-case name creates a stand-in, like the dev inbox. */
function providersOf(...names: string[]): Map<ChannelName, Provider> {
  return new Map(
    names.map((name) => {
      const channel = name.toUpperCase() as ChannelName;
      const provider = { channel, name: 'test', send: async () => ({ providerId: '1' }) };
      return [channel, name === channel ? provider : { ...provider, standIn: true }];
    }),
  );
}

const ALL = providersOf('SMS', 'WHATSAPP', 'VOICE', 'EMAIL');

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('it was accepted');
}

const plan = (to: string, authWay?: string, providers = ALL, settings = {}) =>
  planSend(application(settings), { to, authWay }, (_account, channel) => providers.get(channel));

describe('authWay', () => {
  it.each([
    ['sms', 'SMS'],
    ['WhatsApp', 'WHATSAPP'],
    ['voice', 'VOICE'],
    ['voicecall', 'VOICE'],
    ['Call', 'VOICE'],
    ['email', 'EMAIL'],
  ])('%s selects the channel %s', (authWay, channel) => expect(channelOf(authWay)).toBe(channel));

  it('rejects any other value', () => {
    expect(codeOf(() => channelOf('fax'))).toMatch(/^INVALID_AUTH_WAY/);
    expect(codeOf(() => channelOf(''))).toMatch(/^INVALID_AUTH_WAY/);
  });
});

describe('the planned channels', () => {
  it("are the application's channels if the recipient is a phone number", () => {
    expect(plan(REAL_PHONE)).toEqual({
      address: REAL_PHONE,
      limitKey: REAL_PHONE,
      country: 'US',
      channels: ['SMS', 'WHATSAPP', 'VOICE'],
      testCode: undefined,
    });
    expect(plan(REAL_PHONE, undefined, ALL, { channels: ['WHATSAPP', 'SMS'] }).channels).toEqual(['WHATSAPP', 'SMS']);
  });

  it('contain only EMAIL if the recipient is an email address', () => {
    expect(plan('Ana+x@Example.com')).toEqual({
      address: 'Ana+x@example.com',
      limitKey: 'ana@example.com',
      country: '',
      channels: ['EMAIL'],
      testCode: undefined,
    });
  });

  it('contain only the requested channel', () => {
    expect(plan(REAL_PHONE, 'voice').channels).toEqual(['VOICE']);
    expect(plan('ana@example.com', 'email').channels).toEqual(['EMAIL']);
  });

  it('exclude channels without a provider', () => {
    expect(plan(REAL_PHONE, undefined, providersOf('VOICE', 'SMS')).channels).toEqual(['SMS', 'VOICE']);
    const none = codeOf(() => plan(REAL_PHONE, undefined, providersOf('EMAIL')));
    expect(none).toMatch(/^CHANNEL_NOT_CONFIGURED: .*SMS, WHATSAPP, VOICE/);
    expect(codeOf(() => plan('ana@example.com', undefined, providersOf('SMS')))).toMatch(/EMAIL/);
  });

  it('name the account as the cause if its own providers are off or cannot be opened', () => {
    const found = () => 'unusable' as const;
    const send = () => planSend(application(), { to: REAL_PHONE, authWay: 'sms' }, found);
    expect(codeOf(send)).toMatch(/^CHANNEL_NOT_CONFIGURED: this account's own providers for SMS are off/);
  });

  it('include the dev inbox only if there are no providers', () => {
    expect(plan(REAL_PHONE, undefined, providersOf('sms', 'whatsapp')).channels).toEqual(['SMS', 'WHATSAPP']);
    expect(plan(REAL_PHONE, undefined, providersOf('sms', 'VOICE')).channels).toEqual(['VOICE']);
  });

  it('must be able to reach the recipient', () => {
    expect(codeOf(() => plan(REAL_PHONE, 'email'))).toMatch(/^INVALID_RECIPIENT/);
    expect(codeOf(() => plan('ana@example.com', 'sms'))).toMatch(/^INVALID_RECIPIENT/);
    expect(codeOf(() => plan('nobody'))).toMatch(/^INVALID_RECIPIENT/);
    expect(codeOf(() => plan('nobody', 'sms'))).toMatch(/^INVALID_RECIPIENT/);
  });
});

describe('a phone number', () => {
  it('must be in a country that the application allows', () => {
    expect(plan(REAL_PHONE, 'sms', ALL, { countries: ['DE', 'US'] }).address).toBe(REAL_PHONE);
    expect(codeOf(() => plan(REAL_PHONE, 'sms', ALL, { countries: ['DE'] }))).toMatch(/^COUNTRY_NOT_ALLOWED/);
    expect(codeOf(() => plan('+15550100123', 'sms', providersOf('sms'), { countries: ['DE'] }))).toMatch(/^COUNTRY/);
    expect(plan('ana@example.com', undefined, ALL, { countries: ['DE'] }).channels).toEqual(['EMAIL']);
  });

  it('must be assigned, except for the dev inbox', () => {
    expect(codeOf(() => plan(EXAMPLE_PHONE, 'sms'))).toMatch(/^INVALID_RECIPIENT/);
    expect(plan(EXAMPLE_PHONE, 'sms', providersOf('sms')).address).toBe(EXAMPLE_PHONE);
    expect(codeOf(() => plan(EXAMPLE_PHONE, 'sms', providersOf('SMS', 'voice')))).toMatch(/^INVALID_RECIPIENT/);
  });
});

describe('a test recipient', () => {
  const testRecipients = { [PHONE]: '123456', 'review@example.com': '2468', '+15': '1111' };

  it('is planned with its fixed code, even for channels without a provider', () => {
    expect(plan('+1 (415) 555-0123', undefined, new Map(), { testRecipients })).toEqual({
      address: PHONE,
      limitKey: PHONE,
      country: '',
      channels: ['SMS', 'WHATSAPP', 'VOICE'],
      testCode: '123456',
    });
    expect(plan(PHONE, 'voice', new Map(), { testRecipients }).channels).toEqual(['VOICE']);
    expect(plan('review@EXAMPLE.com', undefined, new Map(), { testRecipients })).toMatchObject({
      channels: ['EMAIL'],
      testCode: '2468',
    });
  });

  it("is exempt from the application's country list", () => {
    expect(plan(PHONE, 'sms', ALL, { testRecipients, countries: ['DE'] }).testCode).toBe('123456');
  });

  it('is rejected if the requested channel cannot reach it', () => {
    expect(codeOf(() => plan(PHONE, 'email', ALL, { testRecipients }))).toMatch(/^INVALID_RECIPIENT/);
    expect(codeOf(() => plan('review@example.com', 'sms', ALL, { testRecipients }))).toMatch(/^INVALID_RECIPIENT/);
  });

  it('is matched only by its own address', () => {
    expect(plan(REAL_PHONE, 'sms', ALL, { testRecipients }).testCode).toBeUndefined();
    expect(codeOf(() => plan('toString', 'sms', ALL, { testRecipients }))).toMatch(/^INVALID_RECIPIENT/);
  });

  it('is reported as sent', () => {
    const message = 'test recipient, nothing sent';
    expect(testOutcome('SMS')).toEqual({ state: 'sent', attempts: [{ channel: 'SMS', success: true, message }] });
  });
});

it("the burst rule limits an application's sends per second and per minute", () => {
  const limits = { ...DEFAULT_SETTINGS.limits, burstPerSecond: 5, burstPerMinute: 70 };
  expect(burstRule(application({ limits }))).toEqual({
    key: 'send:3',
    code: 'BURST_LIMIT',
    windows: [
      { limit: 5, seconds: 1 },
      { limit: 70, seconds: 60 },
    ],
  });
});
