/** Codes on paper, for who has lost the authenticator. Ten letters and digits that do not look alike, each used once. */
import { hmac, random } from '../../platform/crypto.js';
import { RECOVERY_CODES } from '../../platform/limits.js';

/** The base32 alphabet: no 0, 1, 8 or 9. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const LENGTH = 10;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

function newCode(): string {
  const bits = Buffer.from(random.hex(LENGTH), 'hex');
  // 256 is a multiple of 32, so that every character is as likely.
  const text = [...bits].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`;
}

/** Ten different codes as they are shown: `ABCDE-FGHIJ`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newCode());
  return [...codes];
}

/** What people read into a letter, as no code has these digits. */
const MISREAD: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 8: 'B' };

/** The one form of a recovery code as people type it; undefined when it is none. */
export function recoveryCodeOf(text: string): string | undefined {
  const code = text
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/[018]/g, (digit) => MISREAD[digit]!);
  return FORM.test(code) ? code : undefined;
}

/** What is stored of a code: under the factor's own secret, which is sealed, so that nobody can try codes on a copy. */
export const recoveryHash = (secret: string, code: string): string =>
  hmac(secret, `recovery\0${recoveryCodeOf(code) ?? ''}`);
