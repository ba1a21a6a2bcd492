/**
 * Keys and expiry of recipients in the guard's table. The keys are keyed hashes; the table never contains addresses.
 */
import { DAY } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { RecipientRecord } from './fraud.js';
import { FRAUD_THRESHOLDS } from './fraud-settings.js';

export type RecipientKeyring = Pick<Keyring, 'macs'>;

/** As long as the longest exemption that can be set. */
const VERIFIED_RETENTION_MS = FRAUD_THRESHOLDS.exemptDays.max * DAY;
/** Longer than the validity of a code, so that its verification finds the recipient. */
const UNVERIFIED_RETENTION_MS = 2 * DAY;

/** Returns when the record may be deleted. */
export const recordExpiry = ({ countedAt, verifiedAt }: RecipientRecord): number =>
  Math.max(countedAt + UNVERIFIED_RETENTION_MS, (verifiedAt ?? 0) + VERIFIED_RETENTION_MS);

/**
 * Returns the hashes of a recipient with each key of `SECRET_KEY`, newest first. New rows use the first hash; old rows
 * may have another one.
 */
export const recipientKeysOf = (keyring: RecipientKeyring, applicationId: number, limitKey: string): string[] =>
  keyring.macs('fraud recipient', `${applicationId}:${limitKey}`);
