/** Parsing and validation of the settings. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, publicCallbackBase, readConfig, SETTINGS } from '../../backend/src/platform/config/config.js';
import { devInboxAccess } from '../../backend/src/platform/config/exposure.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Returns the problems of invalid settings. */
function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the settings were accepted');
}

const KEY = 'k'.repeat(32);
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' };

it('has defaults for all required settings', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    SEND_WAIT_MS: 3000,
    TRUST_PROXY: false,
    DEV_INBOX: 'on',
    CHANNEL_CONCURRENCY: { SMS: 64, WHATSAPP: 64, VOICE: 64, EMAIL: 32 },
    CHANNEL_PER_SECOND: { SMS: 0, WHATSAPP: 0, VOICE: 0, EMAIL: 0 },
  });
});

it('ignores blank values, and white space around values', () => {
  expect(readConfig({ PORT: '', SECRET_KEY: ' ', BASE_URL: '\t' })).toMatchObject({
    PORT: 3000,
    SECRET_KEY: undefined,
  });
  expect(readConfig({ PORT: ' 8080 ' })).toMatchObject({ PORT: 8080 });
});

describe('the value of a setting', () => {
  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['BASE_URL', 'https://otp.example/', 'https://otp.example'],
    ['SECRET_KEY', `${KEY}, ${'o'.repeat(40)} ,`, [KEY, 'o'.repeat(40)]],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', '0', 0],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['TRUST_PROXY', 'false', false],
    ['LOG_LEVEL', 'DEBUG', 'debug'],
    ['DEV_INBOX', 'Force', 'force'],
    ['SEND_WAIT_MS', '0', 0],
    ['CHANNEL_CONCURRENCY', 'SMS=2', { SMS: 2, WHATSAPP: 64, VOICE: 64, EMAIL: 32 }],
    ['CHANNEL_CONCURRENCY', '4', { SMS: 4, WHATSAPP: 4, VOICE: 4, EMAIL: 4 }],
    ['CHANNEL_CONCURRENCY', 'sms=2, EMAIL = 5', { SMS: 2, WHATSAPP: 64, VOICE: 64, EMAIL: 5 }],
    ['CHANNEL_PER_SECOND', '20,VOICE=1', { SMS: 20, WHATSAPP: 20, VOICE: 1, EMAIL: 20 }],
    ['CHANNEL_PER_SECOND', 'SMS=10', { SMS: 10, WHATSAPP: 0, VOICE: 0, EMAIL: 0 }],
  ])('%s=%s is accepted', (name, value, expected) => {
    expect(readConfig({ [name]: value })[name as 'PORT']).toEqual(expected);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '1e3'],
    ['PORT', '3000.5'],
    ['BASE_URL', 'otp.example'],
    ['BASE_URL', 'ftp://otp.example'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', `${KEY},short`],
    ['SECRET_KEY', ','],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'TRUE'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '*'],
    ['LOG_LEVEL', 'loud'],
    ['DEV_INBOX', 'true'],
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['TWILIO_ACCOUNT_SID', 'AC123'],
    ['TWILIO_VOICE_FROM', '4155550100'],
    ['VOICE_LANGUAGE', 'english'],
    ['PROVIDER_TIMEOUT_MS', '5'],
    ['CHANNEL_CONCURRENCY', '0'],
    ['CHANNEL_CONCURRENCY', 'SMS'],
    ['CHANNEL_CONCURRENCY', 'SMS='],
    ['CHANNEL_PER_SECOND', 'FAX=1'],
    ['CHANNEL_PER_SECOND', 'SMS=0.5'],
    ['CHANNEL_PER_SECOND', 'SMS=1=2'],
  ])('%s=%s is rejected with the name of the setting', (name, value) => {
    expect(problems({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });
});

describe('reported problems', () => {
  it('are reported together, each with the name of its setting', () => {
    const all = problems({ PORT: 'x', SECRET_KEY: 'x', TRUST_PROXY: 'true', LOG_LEVEL: 'x', SMTP_URL: 'x' });
    expect(all.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SECRET_KEY',
      'SMTP_URL',
      'TRUST_PROXY',
    ]);
  });

  it('include missing settings that other settings require', () => {
    const all = problems({ PORT: 'x', SMTP_URL: 'smtp://mail.example', TWILIO_SMS_FROM: '+14155550100' });
    expect(all).toHaveLength(3);
    expect(all.join('\n')).toMatch(/PORT[^]*SMTP_URL needs MAIL_FROM[^]*TWILIO_SMS_FROM needs TWILIO_ACCOUNT_SID/);
  });

  it.each([
    [{ SMTP_URL: 'smtp://mail.example' }, /SMTP_URL needs MAIL_FROM/],
    [{ TWILIO_SMS_FROM: '+14155550100' }, /TWILIO_SMS_FROM needs TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN/],
    [
      { TWILIO_VOICE_FROM: '+14155550100', TWILIO_ACCOUNT_SID: TWILIO.TWILIO_ACCOUNT_SID },
      /TWILIO_VOICE_FROM needs TWILIO_AUTH_TOKEN/,
    ],
    [
      { ...TWILIO, TWILIO_WHATSAPP_CONTENT_SID: `HX${'0'.repeat(32)}` },
      /TWILIO_WHATSAPP_CONTENT_SID needs TWILIO_WHATSAPP_FROM/,
    ],
  ])('%#: missing settings are reported', (env, text) =>
    expect(problems(env as Record<string, string>).join('\n')).toMatch(text),
  );

  it('never contain the value of a secret', () => {
    const secret = 'hunter2-hunter2';
    const names = Object.entries(SETTINGS)
      .filter(([, setting]) => 'secret' in setting)
      .map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['SECRET_KEY', 'SMTP_URL', 'TWILIO_AUTH_TOKEN']));
    const env = {
      PORT: 'x',
      SECRET_KEY: secret,
      SMTP_URL: `http://user:${secret}@mail.example`,
      TWILIO_AUTH_TOKEN: secret,
    };
    expect(problems(env).join('\n')).not.toContain(secret);
    expect(new ConfigError(problems(env)).message).not.toContain(secret);
    for (const name of names) {
      const text = problems({ PORT: 'x', [`${name}_FILE`]: file(name, secret) }).join('\n');
      expect(text).not.toContain(secret);
    }
  });
});

describe('NAME_FILE', () => {
  it('reads a secret from a file, with or without a trailing newline', () => {
    const config = readConfig({
      SECRET_KEY_FILE: file('key', `${KEY}\n`),
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN_FILE: file('token', 'abc'),
    });
    expect(config).toMatchObject({ SECRET_KEY: [KEY], TWILIO_AUTH_TOKEN: 'abc' });
  });

  it('reports a missing file with the name of the setting', () => {
    expect(problems({ PORT: 'x', SECRET_KEY_FILE: join(folder, 'missing') })).toEqual([
      expect.stringMatching(/^PORT /),
      expect.stringMatching(/^SECRET_KEY_FILE names a file that cannot be read \(ENOENT\)$/),
    ]);
  });

  it('reports an empty file', () => {
    expect(problems({ SECRET_KEY_FILE: file('empty', '\n') })).toEqual(['SECRET_KEY_FILE names an empty file']);
  });

  it('is available only for secrets', () => {
    expect(readConfig({ PORT_FILE: file('port', '8080') }).PORT).toBe(3000);
  });
});

describe('the dev inbox', () => {
  const access = (env: Record<string, string>) => devInboxAccess(readConfig(env));

  it.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.1.2.3', BASE_URL: 'http://localhost:3000' },
    { BASE_URL: 'http://[::1]:3000', TRUST_PROXY: 'false' },
  ])('is on with %j', (env) => {
    expect(access(env)).toBe('local');
    expect(access({ ...env, DEV_INBOX: 'off' })).toBe('off');
    expect(access({ ...env, DEV_INBOX: 'force' })).toBe('secret');
  });

  it.each([
    ...['0.0.0.0', '::', '192.0.2.1', 'otp.example', '127.0.0.1.evil.example'].map((HOST) => ({ HOST })),
    { BASE_URL: 'https://otp.example' },
    { BASE_URL: 'http://localhost.evil.example' },
    { TRUST_PROXY: '1' },
    { TRUST_PROXY: 'loopback' },
    { DATABASE_URL: 'mysql://localhost/db', REDIS_URL: 'redis://localhost', SECRET_KEY: KEY },
    { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@b.example' },
    TWILIO,
  ])('is off with %j unless forced, and then needs a key', (env) => {
    expect(access(env as Record<string, string>)).toBe('off');
    expect(access({ ...(env as Record<string, string>), DEV_INBOX: 'force' })).toBe('secret');
  });
});

describe('the base URL for delivery reports', () => {
  const base = (env: Record<string, string>) => publicCallbackBase(readConfig(env));
  it('is BASE_URL', () => {
    expect(base({ ...TWILIO, BASE_URL: 'https://otp.example/passbell/' })).toBe('https://otp.example/passbell');
  });
  it.each([
    ['without BASE_URL', TWILIO],
    ...['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000'].map(
      (BASE_URL) => [`with ${BASE_URL}, which vendors cannot reach`, { ...TWILIO, BASE_URL }] as const,
    ),
  ] as const)('is undefined %s', (_name, env) => {
    expect(base(env)).toBeUndefined();
  });
});
