/** The alphabet of SMS: 160 of its characters are one segment, but one other character makes that 70. */

/** GSM 03.38, without the escape. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each takes the place of two. */
const EXTENSION = '^{}\\[~]|€';

const ALPHABET = new Set(BASIC + EXTENSION);

/** Letters that no decomposition takes apart, and signs that are as good in a plainer form. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', œ: 'oe', Œ: 'OE' },
  ...{ '‘': "'", '’': "'", '‚': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  // Words that need them are not in this alphabet, so where everything else is they are of no use.
  ...{ '\u2068': '', '\u2069': '' },
  ...{ '‐': '-', '‑': '-', '–': '-', '—': '-', '…': '...', '•': '-', '\u00a0': ' ', '\u202f': ' ' },
};

function plain(character: string): string {
  if (ALPHABET.has(character)) return character;
  return PLAIN[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
}

const fits = (text: string): boolean => [...text].every((character) => ALPHABET.has(character));

/** The text in the alphabet of SMS where dropping accents is enough for that; else as it is. */
export function gsm7(text: string): string {
  const folded = [...text.normalize('NFC')].map(plain).join('');
  return fits(folded) ? folded : text;
}

/** How long a text is as an SMS. */
export interface SmsSize {
  readonly encoding: 'GSM-7' | 'Unicode';
  /** Places that its characters take; some take two. */
  readonly length: number;
  /** What it is paid as. */
  readonly segments: number;
  /** Places of all these segments together. */
  readonly room: number;
  /** The different characters that are not in the alphabet of SMS. */
  readonly foreign: readonly string[];
}

export function smsSize(text: string): SmsSize {
  const foreign = [...new Set(text)].filter((character) => !ALPHABET.has(character));
  const [length, single, part] =
    foreign.length === 0
      ? [[...text].reduce((sum, character) => sum + (EXTENSION.includes(character) ? 2 : 1), 0), 160, 153]
      : [text.length, 70, 67];
  const segments = length <= single ? 1 : Math.ceil(length / part);
  const room = segments === 1 ? single : segments * part;
  return { encoding: foreign.length === 0 ? 'GSM-7' : 'Unicode', length, segments, room, foreign };
}

/** How many SMS a text is paid as. */
export const segments = (text: string): number => smsSize(text).segments;
