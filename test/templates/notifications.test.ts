/** Every notification on every channel in every language, with all or only the required variables, and hostile ones. */
import type { Content } from '../../backend/src/providers/provider.js';
import { CHANNELS, type ChannelName } from '../../backend/src/platform/contract/channels.js';
import { TEMPLATES, VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import { smsSize } from '../../backend/src/platform/gsm7.js';
import { lengthProblem, SHORT_VALUES_LENGTH } from '../../backend/src/modules/templates/rendering/message-length.js';
import { findPlaceholders } from '../../backend/src/modules/templates/rendering/language.js';
import { writtenValue } from '../../backend/src/modules/templates/rendering/local-values.js';
import { LANGUAGES } from '../../backend/src/modules/templates/rendering/languages.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import {
  notificationVariables,
  type TemplateName,
  type VariableName,
} from '../../backend/src/modules/templates/template.js';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
const LATIN_LANGUAGES = LANGUAGE_CODES.filter((code) => code !== 'ar');
const application = 'Corner Shop';

const samples = (names: readonly VariableName[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, VARIABLES[name].sample]));

const allVariables = (template: TemplateName) => samples(notificationVariables(template));

/** Returns the required variables, and one of the variables in `oneOf`. */
function requiredVariables(template: TemplateName, choice = 0): Record<string, string> {
  const { required, oneOf } = TEMPLATES[template];
  return samples([...required, ...oneOf.slice(choice, choice + 1)]);
}

const segments = (text: string) => smsSize(text).segments;

const renderNotification = (
  template: TemplateName,
  channel: ChannelName,
  language: string,
  values: Record<string, string>,
) => render(template, channel, { ...values, application, language });

/** Returns all texts that a recipient sees or hears. */
function textsOf(content: Content): string[] {
  if (content.kind === 'text') return [content.text];
  if (content.kind === 'speech') return [...content.sentences];
  return [content.subject, content.text, content.html.replace(/<style>[\s\S]*<\/style>/, '')];
}

/** Returns the text that a recipient reads, without tags and isolates. */
function readable(content: Content): string {
  const text = textsOf(content)
    .join('\n')
    .replace(/<[^>]+>/g, ' ');
  return text.replace(/[\u2068\u2069]/g, '');
}

const cases = NAMES.flatMap((name) =>
  LANGUAGE_CODES.flatMap((code) => CHANNELS.map((channel) => [name, channel, code] as const)),
);

describe.each(cases)('%s on %s in %s', (name, channel, code) => {
  it('contains all variables', () => {
    const content = renderNotification(name, channel, code, allVariables(name));
    const text = textsOf(content)
      .join('\n')
      .replace(/[\u2068\u2069]/g, '');
    for (const variable of notificationVariables(name)) {
      // Dates and amounts are shown in the language of the message.
      if (/Delivery$|Date$|Total$|[aA]mount$/.test(variable)) continue;
      // A voice call spells out numbers and leaves out links.
      if (channel === 'VOICE' && /Id$|No$|Number$|Link$|Url$/.test(variable)) continue;
      expect([variable, text.includes(VARIABLES[variable].sample)]).toEqual([variable, true]);
    }
    if (channel === 'VOICE') expect(text).not.toMatch(/https?:/);
  });

  it('leaves out parts whose variables are missing', () => {
    for (const choice of TEMPLATES[name].oneOf.length > 1 ? [0, 1] : [0]) {
      const values = requiredVariables(name, choice);
      const content = renderNotification(name, channel, code, values);
      const text = readable(content);
      expect(text).not.toMatch(/[{}]|undefined|\bnull\b|NaN/);
      // Every label must have a value, and every sentence must be complete.
      // French has a space before question marks, exclamation marks and colons.
      expect(text).not.toMatch(code === 'fr' ? /:\s*[.:]|:\s*$|\s\.|\.\./ : /:\s*[.:]|:\s*$|\s[.!?؟]|\.\./);
      for (const part of textsOf(content)) expect(part.trim()).not.toBe('');
      for (const variable of notificationVariables(name)) {
        if (values[variable] !== undefined || Object.values(values).includes(VARIABLES[variable].sample)) continue;
        for (const value of [VARIABLES[variable].sample, writtenValue(VARIABLES[variable].sample, code)])
          expect(text).not.toContain(value);
      }
    }
  });

  it('does not interpret hostile variables', () => {
    const hostile = `{{ 7 | times: 7 }} {orderId} <img src=x onerror=alert(1)> "'&\r\nBcc: eve@evil.example\u202e\u0000`;
    const values = Object.fromEntries(
      Object.keys(allVariables(name)).map((n) => [
        n,
        VARIABLES[n as VariableName].link ? 'https://x.example/"><script>' : hostile,
      ]),
    );
    const content = renderNotification(name, channel, code, values);
    for (const part of textsOf(content)) {
      expect(part).not.toMatch(/\b49\b/);
      expect(part).not.toMatch(/[\u0000\u202e\r]/);
    }
    if (content.kind !== 'email') return;
    expect(content.subject).not.toMatch(/[\r\n]/);
    expect(content.html).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    expect(content.html).not.toMatch(/href="[^"]*"[^ ]/);
    expect(content.text).not.toMatch(/^Bcc:/m);
  });
});

it.each(NAMES.flatMap((name) => LATIN_LANGUAGES.map((code) => [name, code] as const)))(
  '%s in %s fits into one SMS in the common case',
  (name, code) => {
    const content = renderNotification(name, 'SMS', code, { customerName: 'Ana', ...requiredVariables(name) });
    expect(segments(textsOf(content)[0]!)).toBe(1);
  },
);

it.each(NAMES)('%s in Arabic fits into two SMS segments with only the required variables', (name) => {
  expect(segments(textsOf(renderNotification(name, 'SMS', 'ar', requiredVariables(name)))[0]!)).toBeLessThanOrEqual(2);
});

it.each(LANGUAGE_CODES)(
  'texts in %s use only variables of their template, and subjects use only required variables',
  (code) => {
    for (const [name, { subject, sentences }] of Object.entries(LANGUAGES[code].templates)) {
      const template = TEMPLATES[name as TemplateName];
      const known: readonly string[] = notificationVariables(name as TemplateName);
      expect([
        name,
        findPlaceholders(subject).filter((one) => !(template.required as readonly string[]).includes(one)),
      ]).toEqual([name, []]);
      expect([name, sentences.flatMap(findPlaceholders).filter((one) => !known.includes(one))]).toEqual([name, []]);
      // The first sentence never depends on an optional variable, so messages are never empty.
      expect([
        name,
        findPlaceholders(sentences[0]!).filter((one) => !(template.required as readonly string[]).includes(one)),
      ]).toEqual([name, []]);
    }
  },
);

it('starts an SMS with the shop name, and greets the customer by name', () => {
  const text = textsOf(renderNotification('order_shipped', 'SMS', 'en', { customerName: 'Ana', orderId: 'A-1001' }))[0];
  expect(text).toBe('Corner Shop: Hello Ana! Your order A-1001 is on its way.');
});

it('removes accents from an SMS only if GSM-7 can then encode the text', () => {
  const greet = (customerName: string) =>
    textsOf(renderNotification('order_delivered', 'SMS', 'pl', { customerName, orderId: 'A' }))[0];
  expect(greet('Łukasz')).toMatch(/^Corner Shop: Dzien dobry, Lukasz! Twoje zamowienie A zostalo doreczone\./);
  expect(greet('美咲')).toContain('Dzień dobry, 美咲!');
});

describe('the length limits', () => {
  it.each(cases.filter(([, channel]) => channel === 'SMS' || channel === 'VOICE'))(
    'allow %s on %s in %s with a sample of each variable, and with any short values',
    (name, channel, code) => {
      expect(lengthProblem(channel, renderNotification(name, channel, code, allVariables(name)))).toBeUndefined();
      const names = ['application', ...notificationVariables(name)];
      // The longest possible letter: a Unicode letter in an SMS, a letter with a long name in a call.
      const letter = channel === 'SMS' ? 'ж' : 'W';
      for (const long of names) {
        const rest = SHORT_VALUES_LENGTH - names.length + 1;
        const values = Object.fromEntries(names.map((one) => [one, letter.repeat(one === long ? rest : 1)]));
        const content = render(name, channel, { ...values, language: code });
        expect([long, lengthProblem(channel, content)]).toEqual([long, undefined]);
      }
    },
  );
});

it('an SMS never splits a character between two segments', () => {
  expect(segments(`${'a'.repeat(152)}€${'a'.repeat(151)}`)).toBe(2);
  expect(segments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe(3);
  expect(segments(`${'ж'.repeat(66)}🚢${'ж'.repeat(66)}`)).toBe(3);
});

it('extension characters count twice in the length of an SMS, and segments of long messages are shorter', () => {
  expect(segments('a'.repeat(160))).toBe(1);
  expect(segments('a'.repeat(161))).toBe(2);
  expect(segments(`${'a'.repeat(159)}€`)).toBe(2);
  expect(segments('ł'.repeat(71))).toBe(2);
  expect(segments('a'.repeat(307))).toBe(3);
});

it('spells out numbers, dates and amounts in a voice call', () => {
  const values = {
    orderId: 'A-1001',
    refundedAmount: 'USD 1234.50',
    expectedCreditDate: '2026-03-10T00:00:00Z',
    refundMethod: 'Visa',
  };
  const { sentences } = renderNotification('refund_initiated', 'VOICE', 'en', values) as Extract<
    Content,
    { kind: 'speech' }
  >;
  expect(sentences).toEqual([
    'This is a message from Corner Shop.',
    'We have started your refund of 1,234.50 US dollars for order A, 1, 0, 0, 1.',
    'Refund to: Visa.',
    'Expected by: March 10, 2026.',
  ]);
});

it.each([
  ['de', '10. März 2026'],
  ['pl', '10 marca 2026'],
  ['ar', '10 مارس 2026'],
])('reads dates aloud in %s', (code, date) => {
  const values = { orderId: '1', refundedAmount: '5', expectedCreditDate: '2026-03-10' };
  expect(textsOf(renderNotification('refund_initiated', 'VOICE', code, values)).join(' ')).toContain(date);
});

it('a voice call uses the configured accent if it belongs to the language, otherwise the default accent for the language', () => {
  const speak = (language: object) =>
    render('order_shipped', 'VOICE', { orderId: '1', application, ...language }) as Extract<
      Content,
      { kind: 'speech' }
    >;
  expect(speak({ voiceLanguage: 'en-GB' })).toMatchObject({
    language: undefined,
    sentences: [expect.stringContaining('This is'), expect.anything()],
  });
  expect(speak({ voiceLanguage: 'de-AT' })).toMatchObject({
    language: undefined,
    sentences: [expect.stringContaining('Dies ist'), expect.anything()],
  });
  expect(speak({ voiceLanguage: 'sv-SE' }).language).toBe('en-US');
  expect(speak({ voiceLanguage: 'en-GB', language: 'pl' }).language).toBe('pl-PL');
});

it('passes the variables of an approved WhatsApp template in order, without empty values', () => {
  const content = renderNotification('order_shipped', 'WHATSAPP', 'de', {
    orderId: 'A-1',
    trackingLink: 'https://t.example/1',
  });
  expect(notificationVariables('order_shipped')).toEqual([
    'orderId',
    'customerName',
    'trackingNo',
    'trackingLink',
    'estimatedDelivery',
  ]);
  expect(content).toMatchObject({
    template: 'order_shipped',
    language: 'de',
    variables: ['A-1', '-', '-', 'https://t.example/1', '-'],
  });
});

it('renders Arabic right-to-left and isolates left-to-right values', () => {
  const mail = renderNotification('order_shipped', 'EMAIL', 'ar', { orderId: '1001-A' }) as Extract<
    Content,
    { kind: 'email' }
  >;
  expect(mail.html).toContain('<html lang="ar" dir="rtl">');
  expect(mail.subject).toContain('\u20681001-A\u2069');
});
