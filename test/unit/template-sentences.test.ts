import { CHANNELS } from '../../backend/src/platform/contract/channels.js';
import { joinSentences, sentencesOf } from '../../backend/src/dashboard/templates/sentences.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { builtInText } from '../../backend/src/modules/templates/rendering/built-in.js';
import { languageOf } from '../../backend/src/modules/templates/rendering/languages.js';
import { TEMPLATE_NAMES } from '../../backend/src/modules/templates/template.js';

const KEY = { template: 'order_shipped', channel: 'SMS', language: 'en' } as const;
const shown = (text: string, key: Parameters<typeof sentencesOf>[1] = KEY) =>
  sentencesOf(text, key)?.map((sentence) => `${sentence.label}: ${sentence.text}`);

it('splits every built-in text into sentences without tags, and joins them to the same text', () => {
  for (const template of TEMPLATE_NAMES)
    for (const channel of CHANNELS)
      for (const language of LANGUAGE_CODES) {
        const key = { template, channel, language };
        const { text } = builtInText(template, channel, languageOf(language));
        const sentences = sentencesOf(text, key)!;
        expect(sentences.filter((sentence) => /\{%|\| local/.test(sentence.text))).toEqual([]);
        expect(joinSentences(text, key, (sentence) => sentence.text)).toBe(text);
      }
});

it('labels each sentence with its condition', () => {
  expect(shown('Ahoy {{ orderId }}')).toEqual(['Text: Ahoy {{ orderId }}']);
  expect(
    shown('Ahoy.{% if trackingNo and trackingLink %} Track: {{ trackingLink }}{% else %} Wait.{% endif %}'),
  ).toEqual([
    'At the start: Ahoy.',
    'If the tracking number and the tracking link are known: Track: {{ trackingLink }}',
    'Otherwise: Wait.',
    'At the end (optional): ',
  ]);
  const { text } = builtInText('otp', 'SMS', languageOf('pl'));
  expect(shown(text, { template: 'otp', channel: 'SMS', language: 'pl' })).toEqual([
    'At the start: {{ code }} to Twój kod {{ application }}.',
    'If the validity in minutes is 1: Jest ważny przez {{ minutes }} minutę.',
    'If the validity in minutes is 0, 5, 6…: Jest ważny przez {{ minutes }} minut.',
    'If the validity in minutes is another number: Jest ważny przez {{ minutes }} minuty.',
    'At the end: Nie podawaj go nikomu, nawet nam.',
  ]);
  const french = builtInText('otp', 'SMS', languageOf('fr'));
  expect(shown(french.text, { template: 'otp', channel: 'SMS', language: 'fr' })).toContainEqual(
    expect.stringMatching(/^If the validity in minutes is 0 or 1: Il est valable/),
  );
});

it('writes a cleared sentence again', () => {
  const text = 'Ahoy.{% if trackingNo %} No. {{ trackingNo }}.{% endif %}';
  const change = (source: string, to: string) =>
    joinSentences(source, KEY, ({ label }) => (label.startsWith('If') ? to : undefined));
  const cleared = change(text, ' ');
  expect(cleared).toBe('Ahoy.{% if trackingNo %}{% endif %}');
  expect(change(cleared, 'Number {{ trackingNo }}.')).toBe(
    'Ahoy.{% if trackingNo %} Number {{ trackingNo }}.{% endif %}',
  );
});

it.each([
  '{% if a %}{% if b %}x{% endif %}{% endif %}',
  '{% if trackingNo == "1" %}x{% endif %}',
  '{% assign a = "b" %}x',
  '{% if trackingNo %}x',
  'x{% endif %}',
  'x {% if',
  'x{% if trackingNo %}y{% endif %}{%',
])('does not split %j', (text) => expect(shown(text)).toBeUndefined());
