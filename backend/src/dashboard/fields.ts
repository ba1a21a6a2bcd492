import { parseRecipient } from '../modules/recipients/recipient.js';
import { mailboxOf } from '../modules/people/person.js';
import { FieldError, type FieldReader } from './form.js';

export function parseEmail(text: string): string {
  const mailbox = mailboxOf(text);
  if (!mailbox) throw new FieldError('Enter an email address, such as ana@example.com.');
  return mailbox.email;
}

/** Parses the number of a phone that can receive SMS. An empty text is allowed. */
export function parseOptionalPhone(text: string): string {
  if (text.trim() === '') return '';
  const recipient = parseRecipient(text.trim());
  const isPhone = recipient?.type === 'phone' && recipient.assigned && !recipient.rejectedKind && !recipient.landline;
  if (!isPhone) throw new FieldError('Enter a mobile number with its country code, such as +49 151 23456789.');
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
