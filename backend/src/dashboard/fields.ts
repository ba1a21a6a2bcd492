import { validatePhoneNumberLength } from 'libphonenumber-js/max';
import { parseRecipient } from '../modules/recipients/recipient.js';
import { mailboxOf } from '../modules/people/person.js';
import { FieldError, type FieldReader } from './form.js';

export function parseEmail(text: string): string {
  const mailbox = mailboxOf(text);
  if (!mailbox) throw new FieldError('Enter an email address, such as ana@example.com.');
  return mailbox.email;
}

function phoneProblem(text: string): string {
  const number = text.replace(/^00/, '+');
  if (!number.startsWith('+')) return 'Start with the country code, as in +49 151 23456789.';
  switch (validatePhoneNumberLength(number)) {
    case 'TOO_SHORT':
      return 'This number is too short.';
    case 'TOO_LONG':
      return 'This number is too long.';
    case 'INVALID_COUNTRY':
      return 'This country code does not exist.';
    default:
      return 'Enter a mobile number. This number cannot receive SMS.';
  }
}

/** Parses the number of a phone that can receive SMS. An empty text is allowed. */
export function parseOptionalPhone(text: string): string {
  if (text.trim() === '') return '';
  const recipient = parseRecipient(text.trim());
  const isPhone = recipient?.type === 'phone' && recipient.assigned && !recipient.rejectedKind && !recipient.landline;
  if (!isPhone) throw new FieldError(phoneProblem(text.trim()));
  return recipient.address;
}

export const oneOf =
  <const T extends string>(values: readonly T[]): FieldReader<T> =>
  (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new FieldError('Choose one of the options.');
    return found;
  };

/** Removes the separators of groups of three digits: `1,000` → `1000`. */
export const withoutSeparators = (text: string): string =>
  /^\d{1,3}([.,'’\s]\d{3})+$/.test(text.trim()) ? text.replace(/\D/g, '') : text;

/** Parses a verification or recovery code. Removes spaces and dashes. */
export function parseCode(text: string): string {
  const compact = text.replace(/[\s-]/g, '');
  if (compact === '') throw new FieldError('Enter the code.');
  return compact;
}

/** Parses an emailed code, so that a code that is too short does not count as an incorrect guess. */
export function parseEmailedCode(text: string): string {
  const code = parseCode(text);
  if (!/^\d{6}$/.test(code)) throw new FieldError('The code has 6 digits.');
  return code;
}
