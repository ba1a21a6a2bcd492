/**
 * Keys and expiry of recipients in the guard's table. The keys are keyed hashes; the table never contains phone
 * numbers.
 */
import { DAY } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { RecipientRecord } from './fraud.js';
import { FRAUD_THRESHOLDS } from './fraud-settings.js';

export type RecipientKeyring = Pick<Keyring, 'macs'>;

/** The longest exemption that can be configured. */
const VERIFIED_RETENTION_MS = FRAUD_THRESHOLDS.exemptDays.max * DAY;
/** Longer than a code is valid, so that its verification finds the recipient. */
const UNVERIFIED_RETENTION_MS = 2 * DAY;

/** Returns the time from which the record may be deleted. */
export const recordExpiry = ({ countedAt, verifiedAt }: RecipientRecord): number =>
  Math.max(countedAt + UNVERIFIED_RETENTION_MS, (verifiedAt ?? 0) + VERIFIED_RETENTION_MS);

/**
 * Returns a recipient's hash for each key in `SECRET_KEY`, newest first. New rows use the first hash; old rows may use
 * another hash.
 */
export const recipientKeysOf = (keyring: RecipientKeyring, applicationId: number, limitKey: string): string[] =>
  keyring.macs('fraud recipient', `${applicationId}:${limitKey}`);
