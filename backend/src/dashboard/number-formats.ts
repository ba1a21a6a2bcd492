/** The reader's number formats. The texts are in English, and numbers look as in the language that the browser prefers. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface NumberFormats {
  readonly number: Intl.NumberFormat;
  readonly percent: Intl.NumberFormat;
  readonly money: Intl.NumberFormat;
  readonly smallMoney: Intl.NumberFormat;
  readonly shortMoney: Intl.NumberFormat;
}

function formatsOf(locale: string): NumberFormats {
  const format = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { numberingSystem: 'latn', ...options });
  return {
    number: format({ maximumFractionDigits: 1 }),
    percent: format({ style: 'percent', maximumFractionDigits: 0 }),
    money: format({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    smallMoney: format({ minimumFractionDigits: 4, maximumFractionDigits: 4 }),
    shortMoney: format({ maximumFractionDigits: 4 }),
  };
}

const ENGLISH = formatsOf('en');
const ofRequest = new AsyncLocalStorage<NumberFormats>();

/** Returns the formats of the current request, or English ones outside of a request. */
export const numberFormats = (): NumberFormats => ofRequest.getStore() ?? ENGLISH;

/** Runs `work`, which formats numbers as in this language, such as `de-DE`. */
export function withNumbersOf(language: string | undefined, work: () => void): void {
  const isKnown = language !== undefined && /^[a-z]{2,3}(-[A-Z]{2})?$/.test(language);
  ofRequest.run(isKnown ? formatsOf(language) : ENGLISH, work);
}
