/** Returns hints for invalid recipients, which explain the mistake and its correction. */
import leven from 'leven';
import { validatePhoneNumberLength } from 'libphonenumber-js/max';
import { ApiError, shorten } from '../../platform/contract/errors.js';

const NUMBER = '+14155550123';
const EXAMPLE = `such as ${NUMBER}`;

/** `0171 2345678` → `01** *****78`. Keeps the first two and the last two characters, and all punctuation. */
function maskReceived(to: string): string {
  const text = shorten(to.trim());
  return text.replace(/[\p{L}\p{N}]/gu, (character, index: number) =>
    index < 2 || index >= text.length - 2 ? character : '*',
  );
}

export const invalidRecipient = (to: string, hint: string): ApiError =>
  new ApiError('INVALID_RECIPIENT', { field: 'to', received: maskReceived(to), hint });

const isEmail = (to: string): boolean => to.includes('@');

/**
 * Whether a text contains several phone numbers or email addresses. Slashes and spaces may also separate the parts of a
 * single number.
 */
const isList = (to: string): boolean => /[,;|\n]/.test(to) || /\d\D+\+\d/.test(to) || (to.match(/@/g) ?? []).length > 1;

function emailHint(to: string): string {
  if (/\s/.test(to)) return 'Remove the spaces from the email address.';
  const [, domain = ''] = to.split('@');
  if (!domain.includes('.')) return 'Add the full domain after the @, such as ana@example.com.';
  return 'Check the email address. It must look like ana@example.com.';
}

function lengthHint(number: string): string | undefined {
  switch (validatePhoneNumberLength(number)) {
    case 'TOO_SHORT':
      return `The number has too few digits. Enter the full number with its country code, ${EXAMPLE}.`;
    case 'TOO_LONG':
      return `The number has too many digits. Enter one number, ${EXAMPLE}.`;
    case 'INVALID_COUNTRY':
      return `The number does not begin with a country code. Put the country code first, as in ${NUMBER}.`;
    default:
      return undefined;
  }
}

function phoneHint(to: string): string {
  if (!/\d/.test(to)) return `Enter a phone number with its country code, ${EXAMPLE}, or an email address.`;
  if (/\p{L}/u.test(to)) return `Remove the letters. Enter only the digits of the number, ${EXAMPLE}.`;
  const digits = to.replace(/\D/g, '');
  const isInternational = to.startsWith('+') || digits.startsWith('00');
  if (!isInternational && digits.startsWith('0'))
    return 'The number has no country code. Replace the 0 at the start with + and the country code, such as +49 for Germany.';
  return (
    lengthHint(`+${digits.replace(/^00/, '')}`) ??
    `Check the digits. The number must begin with its country code, as in ${NUMBER}.`
  );
}

/** Returns the hint for a text that is neither a phone number nor an email address. */
export function recipientHint(text: string): string {
  const to = text.trim();
  if (isList(to)) return 'Send one request for each recipient. The value contains several.';
  return isEmail(to) ? emailHint(to) : phoneHint(to);
}

const POPULAR_DOMAINS = ['gmail', 'googlemail', 'hotmail', 'outlook', 'yahoo', 'icloud', 'protonmail'];
/** Existing domain names that differ by one letter from a popular name. */
const SIMILAR_NAMES = ['email', 'ymail', 'fmail', 'rmail', 'hmail'];
const MISTYPED_COM = ['con', 'cm', 'om', 'co', 'cmo', 'ocm', 'comm', 'vom', 'xom', 'cpm', 'coom'];

/** Whether two words differ by one inserted, removed, replaced or transposed letter. */
function differByOneTypo(a: string, b: string): boolean {
  if (a === b) return false;
  if (leven(a, b) === 1) return true;
  const first = [...a].findIndex((letter, index) => letter !== b[index]);
  return (
    a.length === b.length &&
    a[first] === b[first + 1] &&
    a[first + 1] === b[first] &&
    a.slice(first + 2) === b.slice(first + 2)
  );
}

/**
 * Returns the popular domain that was probably mistyped: `gmial.com` → `gmail.com`. Returns undefined for all other
 * domains.
 */
function suggestedDomain(address: string): string | undefined {
  const [name = '', ending = ''] = address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .split(/\.(.*)/s);
  const isCom = ending === 'com' || MISTYPED_COM.includes(ending);
  if (!isCom || SIMILAR_NAMES.includes(name)) return undefined;
  const popular = POPULAR_DOMAINS.find((known) => differByOneTypo(name, known) || (name === known && ending !== 'com'));
  return popular && `${popular}.com`;
}

/** Returns a warning if an email address's domain is probably mistyped. */
export function domainWarning(to: string): string | undefined {
  const domain = suggestedDomain(to);
  return domain && `The domain in “to” may be mistyped. Did you mean ${domain}?`;
}
