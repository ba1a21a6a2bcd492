import type { Role } from '../access/rights.js';
import { parseRecipient, type Recipient } from '../recipients/recipient.js';

/** A member of an account. Someone who has joined several accounts is a separate `Person` in each. */
export interface Person {
  readonly id: number;
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
  /** Epoch milliseconds; null before the first sign-in. */
  readonly lastSeenAt: number | null;
  readonly createdAt: number;
}

export interface Membership {
  readonly person: Person;
  /** Email address of the account. */
  readonly account: string;
  readonly accountName: string;
}

/** An account to which a sign-in link can lead. */
export interface AccountChoice {
  readonly accountId: number;
  /** Email address of the account. */
  readonly account: string;
}

export interface Invitation {
  readonly id: number;
  readonly accountId: number;
  /** Null if any email address can accept the invitation. */
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface PersonSession {
  readonly tokenHash: string;
  readonly person: Person;
  /** Such as `Chrome on macOS`; "" if it is unknown. */
  readonly browser: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
  /** When the person last signed in or confirmed their identity in this session. */
  readonly confirmedAt: number;
}

export interface Mailbox extends Recipient {
  readonly email: string;
}

/** Parses an email address. Returns undefined if it is not valid. */
export function mailboxOf(text: string): Mailbox | undefined {
  const recipient = parseRecipient(text);
  return recipient?.type === 'email' ? { ...recipient, email: recipient.address.toLowerCase() } : undefined;
}

/** Format of session, invitation and sign-in link tokens: 256 random bits as base64url. */
export const TOKEN_FORMAT = /^[\w-]{43}$/;
