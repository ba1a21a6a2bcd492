/** The one-time code in every language. */
import type { Content } from '../../backend/src/providers/provider.js';
import { LANGUAGES } from '../../backend/src/modules/templates/rendering/languages.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { WIDGET_TEXTS } from '../../backend/src/platform/contract/generated/widget.js';
import { languageLabel } from '../../backend/src/modules/templates/template.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';

const sms = (language: string, minutes: number): string => {
  const content = render('otp', 'WHATSAPP', {
    code: '012345',
    minutes: String(minutes),
    application: 'Shop',
    language,
  });
  return (content as Extract<Content, { kind: 'text' }>).text;
};

it.each([
  ['en', 1, 'for 1 minute.'],
  ['en', 5, 'for 5 minutes.'],
  ['de', 1, 'gilt 1 Minute.'],
  ['de', 2, 'gilt 2 Minuten.'],
  ['fr', 1, 'valable 1 minute.'],
  ['fr', 5, 'valable 5 minutes.'],
  ['es', 1, 'en 1 minuto.'],
  ['es', 5, 'en 5 minutos.'],
  ['pt', 1, 'por 1 minuto.'],
  ['pt', 5, 'por 5 minutos.'],
  ['pl', 1, 'przez 1 minutę.'],
  ['pl', 3, 'przez 3 minuty.'],
  ['pl', 5, 'przez 5 minut.'],
  ['pl', 22, 'przez 22 minuty.'],
  ['pl', 112, 'przez 112 minut.'],
  ['ar', 1, 'لدقيقة واحدة.'],
  ['ar', 2, 'لدقيقتين.'],
  ['ar', 5, 'لمدة 5 دقائق.'],
  ['ar', 11, 'لمدة 11 دقيقة.'],
  ['ar', 100, 'لمدة 100 دقيقة.'],
])('uses the correct plural in %s for %i minutes', (language, minutes, words) => {
  expect(sms(language, minutes)).toContain(words);
});

it.each(LANGUAGE_CODES)('has a text for every plural form of %s', (code) => {
  const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  expect(forms.filter((form) => LANGUAGES[code].otp.validity[form] === undefined)).toEqual([]);
});

it.each(LANGUAGE_CODES)('contains the unchanged code on every channel in %s', (language) => {
  for (const channel of ['SMS', 'WHATSAPP', 'EMAIL', 'VOICE'] as const) {
    const content = render('otp', channel, { code: '012345', minutes: '5', application: 'Shop', language });
    const text = content.kind === 'speech' ? content.sentences.join(' ') : content.text;
    expect(text).toContain(channel === 'VOICE' ? '0, 1, 2, 3, 4, 5' : '012345');
    expect(text).toContain('Shop');
  }
});

it('uses the configured language in a voice call', () => {
  const call = (language: object) =>
    render('otp', 'VOICE', { code: '12', minutes: '5', application: 'Shop', ...language });
  expect(call({ voiceLanguage: 'it-IT' })).toMatchObject({
    sentences: ['Ciao. Il tuo codice per Shop è:', '1, 2'],
  });
  expect(call({ voiceLanguage: 'it-IT', language: 'pl' })).toMatchObject({ language: 'pl-PL' });
  expect(call({ voiceLanguage: 'de-AT', language: 'de' })).toMatchObject({ language: undefined });
});

it('the label of Portuguese says that the texts are Brazilian', () => {
  expect(languageLabel('pt')).toBe('Brazilian Portuguese');
  expect(languageLabel('de')).toBe('German');
});

it('has the same languages as the widget', () => {
  expect(Object.keys(WIDGET_TEXTS)).toEqual([...LANGUAGE_CODES]);
});
