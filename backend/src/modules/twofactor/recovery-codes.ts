import { hmac, random } from '../../platform/crypto.js';

/**
 * Number of recovery codes per factor. A code has 50 random bits, too many to guess with ten attempts an hour from each
 * address.
 */
const RECOVERY_CODE_COUNT = 10;

/** The base32 alphabet, which has no 0, 1, 8 or 9. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CODE_LENGTH = 10;
const RECOVERY_CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** Digits that codes never contain, and the letters that look similar. */
const LOOKALIKES: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 8: 'B' };

function newRecoveryCode(): string {
  const bytes = Buffer.from(random.hex(CODE_LENGTH), 'hex');
  // 256 is a multiple of 32, so all characters are equally likely.
  const text = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${text.slice(0, CODE_LENGTH / 2)}-${text.slice(CODE_LENGTH / 2)}`;
}

export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODE_COUNT) codes.add(newRecoveryCode());
  return [...codes];
}

/** `abcde fgh1j` → `ABCDEFGHIJ`. Returns undefined for anything that is not a recovery code. */
export function normalizeRecoveryCode(text: string): string | undefined {
  const code = text
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/[018]/g, (digit) => LOOKALIKES[digit]!);
  return RECOVERY_CODE.test(code) ? code : undefined;
}

/**
 * Returns the hash to store. The hash is keyed with the factor's secret, which is stored sealed, so that a copy of the
 * database is not enough to guess codes.
 */
export const recoveryCodeHash = (secret: string, code: string): string =>
  hmac(secret, `recovery\0${normalizeRecoveryCode(code) ?? ''}`);
