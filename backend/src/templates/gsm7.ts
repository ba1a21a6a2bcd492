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

/** How many SMS a text is paid as. */
export function segments(text: string): number {
  const [length, single, part] = fits(text)
    ? [[...text].reduce((sum, character) => sum + (EXTENSION.includes(character) ? 2 : 1), 0), 160, 153]
    : [text.length, 70, 67];
  return length <= single ? 1 : Math.ceil(length / part);
}
