/** The GSM 7-bit alphabet: up to 160 of its characters fit into one SMS segment; with any other character, only 70. */

/** The basic character set of GSM 03.38, without the escape character. */
const BASIC_CHARACTERS =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Extension characters of GSM 03.38, which count as two characters each. */
const EXTENSION_CHARACTERS = '^{}\\[~]|€';

const ALPHABET = new Set(BASIC_CHARACTERS + EXTENSION_CHARACTERS);

/** Replacements for letters that Unicode does not decompose, and for typographic characters. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', œ: 'oe', Œ: 'OE' },
  ...{ '‘': "'", '’': "'", '‚': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  // Direction isolates are removed, because they are only useful next to scripts that this alphabet does not contain.
  ...{ '\u2068': '', '\u2069': '' },
  ...{ '‐': '-', '‑': '-', '–': '-', '—': '-', '…': '...', '•': '-', '\u00a0': ' ', '\u202f': ' ' },
};

function plainForm(character: string): string {
  if (ALPHABET.has(character)) return character;
  return PLAIN_FORMS[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
}

const isInAlphabet = (text: string): boolean => [...text].every((character) => ALPHABET.has(character));

/** Removes accents if GSM 7-bit can then encode the text; otherwise, returns the text unchanged. */
export function toGsm7(text: string): string {
  const folded = [...text.normalize('NFC')].map(plainForm).join('');
  return isInAlphabet(folded) ? folded : text;
}

/**
 * Counts SMS segments. `sizes`: the size of each character, which is never split between segments. `length`: the sum of
 * `sizes`. `single`: the capacity of an SMS with one segment. `part`: the capacity of each segment of a longer SMS.
 */
function segmentsOf(sizes: readonly number[], length: number, single: number, part: number): number {
  if (length <= single) return 1;
  let [segments, used] = [1, 0];
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
