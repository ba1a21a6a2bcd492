/** The GSM 7-bit alphabet: up to 160 of its characters fit into one SMS segment; with any other character, only 70. */

/** The basic character set of GSM 03.38, without the escape character. */
const BASIC_CHARACTERS =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Extension characters of GSM 03.38, which count as two characters each. */
const EXTENSION_CHARACTERS = '^{}\\[~]|€';

const ALPHABET = new Set(BASIC_CHARACTERS + EXTENSION_CHARACTERS);

/** Plain forms of typographic characters. */
const PLAIN_PUNCTUATION: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  // Direction isolates are removed, because they are only useful next to scripts that this alphabet does not contain.
  '\u2068': '',
  '\u2069': '',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '…': '...',
  '•': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
};

/** Plain forms of letters that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', œ: 'oe', Œ: 'OE' };

/**
 * The letters of the alphabet whose accent can be left out. Not among them: Ä, Å, Ñ, Ö and Ü, which are letters of their
 * own.
 */
const ACCENTED_LETTERS = new Set('àèéìòùÇÉ');

const isInAlphabet = (text: string): boolean => [...text].every((character) => ALPHABET.has(character));

const plainLetter = (letter: string): string =>
  ALPHABET.has(letter) && !ACCENTED_LETTERS.has(letter)
    ? letter
    : (PLAIN_LETTERS[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, ''));

const plainPunctuation = (text: string): string =>
  [...text].map((character) => PLAIN_PUNCTUATION[character] ?? character).join('');

/** Removes accents, but from each word either all of them or none: `Jérôme` → `Jerome`. */
const withoutAccents = (text: string): string =>
  text.replace(/[\p{L}\p{M}]+/gu, (word) => (isInAlphabet(word) ? word : [...word].map(plainLetter).join('')));

/** Returns whether GSM 7-bit can encode the text, but only without accents. */
export function losesAccents(text: string): boolean {
  const plain = plainPunctuation(text);
  return !isInAlphabet(plain) && isInAlphabet(withoutAccents(plain));
}

export interface SmsText {
  readonly text: string;
  /** The text with accents; absent if no accents were removed. */
  readonly accented?: string;
}

/**
 * Prepares a text for an SMS. Replaces typographic characters if GSM 7-bit can then encode the text. Otherwise, removes
 * accents if GSM 7-bit can then encode the text in fewer segments. Otherwise, the text is sent as it is, in Unicode.
 */
export function smsText(original: string): SmsText {
  const accented = original.normalize('NFC');
  const plain = plainPunctuation(accented);
  if (isInAlphabet(plain)) return { text: plain };
  const text = withoutAccents(plain);
  const isCheaper = isInAlphabet(text) && smsSize(text).segments < smsSize(accented).segments;
  return isCheaper ? { text, accented } : { text: accented };
}

/**
 * Counts SMS segments. `sizes`: the size of each character, which is never split between segments. `length`: the sum of
 * `sizes`. `single`: the capacity of an SMS with one segment. `part`: the capacity of each segment of a longer SMS.
 */
function segmentsOf(sizes: readonly number[], length: number, single: number, part: number): number {
  if (length <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    const fits = used + size <= part;
    if (!fits) segments++;
    used = fits ? used + size : size;
  }
  return segments;
}

export function smsSize(text: string) {
  const unsupported = [...new Set(text)].filter((character) => !ALPHABET.has(character));
  const isGsm7 = unsupported.length === 0;
  const sizeOf = (character: string) =>
    isGsm7 ? (EXTENSION_CHARACTERS.includes(character) ? 2 : 1) : character.length;
  const sizes = [...text].map(sizeOf);
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const [single, part] = isGsm7 ? [160, 153] : [70, 67];
  const segments = segmentsOf(sizes, length, single, part);
  const capacity = segments === 1 ? single : segments * part;
  return { encoding: isGsm7 ? 'GSM-7' : 'Unicode', length, segments, capacity, unsupported };
}

/** Up to 160 ASCII characters that each count as one character in GSM 7-bit. Nearly every OTP message matches. */
const ONE_SEGMENT = /^[\n !-Z_a-z]{0,160}$/;

/**
 * Counts the segments of an SMS. Checks for typical short texts first, because this function runs for every message.
 */
export const smsSegments = (text: string): number => (ONE_SEGMENT.test(text) ? 1 : smsSize(text).segments);
