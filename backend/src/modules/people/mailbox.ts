/** The address that a person is known by. */
import { parseRecipient, type Recipient } from '../recipients/recipient.js';

export interface Mailbox extends Recipient {
  /** In lower case: one mailbox is one person, however it is typed. */
  readonly email: string;
}

/** Reads a mail address as people write it; undefined where it is none. */
export function mailboxOf(text: string): Mailbox | undefined {
  const recipient = parseRecipient(text);
  return recipient?.type === 'email' ? { ...recipient, email: recipient.address.toLowerCase() } : undefined;
}
