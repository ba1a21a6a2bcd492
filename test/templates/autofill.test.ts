/** The last line of an SMS with a code, from which browsers and Android apps fill in the code. */
import type { Content } from '../../backend/src/providers/provider.js';
import { smsSegments } from '../../backend/src/platform/gsm7.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { render, type FindOverride } from '../../backend/src/modules/templates/rendering/render.js';
import type { MessageVariables } from '../../backend/src/modules/templates/template.js';

const HOST = { webOtpHost: 'shop.example' };
const HASH = { androidAppHash: 'FA+9qCX9VSu' };
const BOTH = { ...HOST, ...HASH };

const textOf = (content: Content): string => (content as Extract<Content, { kind: 'text' }>).text;

function sms(variables: MessageVariables, override?: string): string {
  const find: FindOverride | undefined = override === undefined ? undefined : () => ({ subject: null, text: override });
  const defaults = { code: '123456', minutes: '5', application: 'Green Bakery', language: 'en' };
  return textOf(render('otp', 'SMS', { ...defaults, ...variables }, find));
}

/** Parses the message as section 3.2 of "Origin-bound one-time codes delivered via SMS" describes. */
function originBoundCode(text: string): { host: string; code: string } | undefined {
  const [, host, code] = /^@([^\t\n\f\r ]+) #([^\t\n\f\r ]+)/.exec(text.split('\n').at(-1)!) ?? [];
  return host === undefined ? undefined : { host, code: code! };
}

const lengthInBytes = (text: string): number => Buffer.byteLength(text);

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  it.each([
    ['Shop', 'shop.example', '1234'],
    ['Green Bakery', 'shop.example', '123456'],
    ['My shop', 'www.myshop.example', '12345678'],
    ['Möbelhaus', 'xn--mbelhaus-n4a.example', '246810'],
  ])('the last line of a code of %s for %s is bound to the site, in one SMS', (application, webOtpHost, code) => {
    const text = sms({ language, application, code, webOtpHost });
    expect(originBoundCode(text)).toEqual({ host: webOtpHost, code });
    expect(text.split('\n')).toHaveLength(2);
    expect(text.split('\n')[0]).toContain(code);
    expect(smsSegments(text)).toBe(1);
  });

  it('one last line serves browsers and an Android app, in one SMS of at most 140 bytes', () => {
    const text = sms({ language, application: 'Shop', ...BOTH });
    expect(originBoundCode(text)).toEqual({ host: 'shop.example', code: '123456' });
    expect(text).toMatch(/ FA\+9qCX9VSu$/);
    expect(smsSegments(text)).toBe(1);
    expect(lengthInBytes(text)).toBeLessThanOrEqual(140);
  });

  it('the hash of an Android app is on a line of its own without a site', () => {
    const text = sms({ language, ...HASH });
    expect(text.split('\n').at(-1)).toBe('FA+9qCX9VSu');
    expect(smsSegments(text)).toBe(1);
    expect(lengthInBytes(text)).toBeLessThanOrEqual(140);
  });

  it('a code without these settings has the same text as before', () => {
    expect(sms({ language })).not.toMatch(/\n|@/);
  });
});

it('only an SMS with a code has the line', () => {
  const variables = { code: '123456', minutes: '5', application: 'Shop', language: 'en', ...BOTH };
  for (const channel of ['WHATSAPP', 'VOICE', 'EMAIL'] as const)
    expect(JSON.stringify(render('otp', channel, variables))).not.toMatch(/@shop\.example|FA\+9/);
  const order = { orderId: 'A-1', application: 'Shop', language: 'en', ...BOTH };
  expect(textOf(render('order_placed', 'SMS', order))).not.toMatch(/@shop\.example|FA\+9/);
});

it('a text leaves out what does not fit into one SMS: first the validity, then the warning', () => {
  const texts = [10, 30, 60, 90].map((length) => sms({ application: 'x'.repeat(length), ...HOST }));
  expect(texts.map((text) => [/valid for/.test(text), /Never share/.test(text), smsSegments(text)])).toEqual([
    [true, true, 1],
    [true, true, 1],
    [false, true, 1],
    [true, false, 1],
  ]);
  for (const text of texts) expect(originBoundCode(text)).toEqual({ host: 'shop.example', code: '123456' });
});

it('the hash is left out if the SMS would be too long for the app, and the line if it would cost an SMS more', () => {
  const long = sms({ application: 'x'.repeat(95), ...BOTH });
  expect(originBoundCode(long)).toEqual({ host: 'shop.example', code: '123456' });
  expect(long).not.toContain('FA+9');
  const tooLong = { application: 'x'.repeat(65), webOtpHost: `${'y'.repeat(63)}.example` };
  expect(sms(tooLong)).toBe(sms({ application: tooLong.application }));
});

describe("an application's own text", () => {
  it('ends with the same line', () => {
    expect(sms(BOTH, 'Hi! {{ code }}\n')).toBe('Hi! 123456\n@shop.example #123456 FA+9qCX9VSu');
  });

  it.each([
    ['without the hash, if it is too long for the app', 110, true],
    ['without the line, if the line would cost a second SMS', 140, false],
  ])('is sent %s', (_title, length, bound) => {
    const text = sms(BOTH, `{{ code }} ${'x'.repeat(length)}`);
    expect(smsSegments(text)).toBe(1);
    expect(text).not.toContain('FA+9');
    expect(originBoundCode(text) !== undefined).toBe(bound);
  });

  it('of two SMS has the line if it fits into the second one', () => {
    const text = sms(HOST, `{{ code }} ${'x'.repeat(200)}`);
    expect([originBoundCode(text)?.host, smsSegments(text)]).toEqual(['shop.example', 2]);
  });

  it('cannot use the settings as variables', () => {
    expect(sms(HOST, '{{ code }}{{ webOtpHost }}.')).toMatch(/^123456\.\n@shop/);
  });
});
