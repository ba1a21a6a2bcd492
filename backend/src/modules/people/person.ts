/** Somebody who uses the dashboard of an account. */

/** An owner may do everything; a member changes what applications say and how; a viewer looks. */
export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export interface Person {
  readonly id: number;
  readonly accountId: number;
  /** In lower case: one mailbox is one person. */
  readonly email: string;
  readonly role: Role;
  /** Epoch milliseconds; null for who has not signed in yet. */
  readonly lastSeenAt: number | null;
  readonly createdAt: number;
}
