export interface User {
  /** `USR-` and 32 base64url characters; stable per application and identity, in any letter case. */
  readonly userId: string;
  readonly applicationId: number;
  /** Sequential number within the application, starting at 1. */
  readonly userApplicationId: number;
  readonly identityType: 'phone' | 'email';
  readonly identity: string;
  /**
   * Whether the identity was verified. A verified and an unverified identity with the same value are different users,
   * so that a token for one is never accepted for the other.
   */
  readonly verified: boolean;
  /** When all of the user's tokens were revoked; 0 if they never were. */
  readonly sessionsEndedAt: number;
}

/** A user as the dashboard shows it. */
export interface UserRecord extends User {
  readonly createdAt: number;
  /** Accurate to a day. */
  readonly lastVerifiedAt: number;
}

export type Identity = Pick<User, 'applicationId' | 'identityType' | 'identity' | 'verified'>;
