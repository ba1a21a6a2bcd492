import { mailboxOf } from '../modules/people/person.js';
import { FieldError } from './form.js';

export function parseEmail(text: string): string {
  const mailbox = mailboxOf(text);
  if (!mailbox) throw new FieldError('Enter an email address, such as ana@example.com.');
  return mailbox.email;
}

/** Parses a verification or recovery code. Removes spaces and dashes. */
export function parseCode(text: string): string {
  const compact = text.replace(/[\s-]/g, '');
  if (compact === '') throw new FieldError('Enter the code.');
  return compact;
}
