/** Letters with accents in an SMS. GSM-7 contains à and é, but not ê or ã. */
import fc from 'fast-check';
import { LANGUAGES } from '../../backend/src/modules/templates/rendering/languages.js';
import { writtenValue } from '../../backend/src/modules/templates/rendering/local-values.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { smsSize, smsText } from '../../backend/src/platform/gsm7.js';

const LATIN_LANGUAGES = LANGUAGE_CODES.filter((code) => code !== 'ar');

/** Makes a text longer than one SMS in Unicode, so that accents cost money. */
const long = (text: string): string => `${text} ${'a'.repeat(70)}`;

/** Returns all texts of a language that an SMS can contain. */
function smsTexts(code: (typeof LANGUAGE_CODES)[number]): string[] {
  const { greeting, labels, otp, templates } = LANGUAGES[code];
  const sentences = Object.values(templates).flatMap((template) => template.sentences);
  return [greeting, ...Object.values(labels), otp.message, ...Object.values(otp.validity), otp.warning, ...sentences];
}

const accentedLetters = (text: string): string[] =>
  [...text].filter((letter) => /\p{M}/u.test(letter.normalize('NFD')) && !/[äöüåñ]/i.test(letter));

it.each(LATIN_LANGUAGES)('a built-in SMS in %s keeps all of its accents, or none', (code) => {
  const letters = [...new Set(smsTexts(code).flatMap(accentedLetters))];
  const outside = smsSize(letters.join('')).unsupported;
  expect([[], letters]).toContainEqual(outside);
});

it.each(['en', 'de', 'fr', 'es'] as const)('a built-in SMS in %s loses no accents', (code) => {
  for (const text of smsTexts(code)) expect(smsText(long(text)).accented).toBeUndefined();
});

const MONTHS = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-05`);
it.each(LATIN_LANGUAGES)('a date in an SMS in %s loses no accents', (code) => {
  for (const date of MONTHS) expect(smsSize(writtenValue(date, code, { plain: true })).encoding).toBe('GSM-7');
});

it('a date in an SMS has digits if GSM-7 lacks a letter of the month', () => {
  expect(writtenValue('2026-03-05', 'pt', { plain: true })).toBe('05/03/2026');
  expect(writtenValue('2026-03-05', 'pt')).toBe('5 de março de 2026');
  expect(writtenValue('2026-04-05', 'pt', { plain: true })).toBe('5 de abril de 2026');
});

it('a word of an SMS has all of its accents, or none', () => {
  expect(smsText(long('à Bogotá, Référence, Jérôme, Éloïse, Ñandú, Müller')).text).toBe(
    long('à Bogota, Référence, Jerome, Eloise, Ñandu, Müller'),
  );
  const word = fc.string({ unit: fc.constantFrom(...'abàéèçêôãńüñß'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 5 }), (words) => {
      const sent = smsText(long(words.join(' '))).text.split(' ');
      for (const [n, original] of words.entries())
        expect([accentedLetters(original), []]).toContainEqual(accentedLetters(sent[n]!));
    }),
  );
});

it('an SMS loses accents only if that makes it cheaper', () => {
  expect(smsText('Twój kod to 123456')).toEqual({ text: 'Twój kod to 123456' });
  const accented = long('Twój kod to 123456');
  expect(smsText(accented)).toEqual({ text: long('Twoj kod to 123456'), accented });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abę’ '), maxLength: 400 }), (text) => {
      const { text: sent, accented } = smsText(text);
      expect(smsSize(sent).segments).toBeLessThanOrEqual(smsSize(text).segments);
      if (accented !== undefined) expect(smsSize(sent).segments).toBeLessThan(smsSize(accented).segments);
      else expect(accentedLetters(sent)).toEqual(accentedLetters(text));
    }),
  );
});

it('an SMS has plain quotation marks, dashes and spaces if GSM-7 can then encode it', () => {
  expect(smsText('« C’est prêt »').text).toBe('« C’est prêt »');
  expect(smsText('Merci\u00a0! C’est «\u00a0livré\u00a0» – à vous…').text).toBe(`Merci ! C'est " livré " - à vous...`);
});
