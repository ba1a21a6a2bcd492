/** Recipients in the guard's table: a keyed hash, never the address. */
import { DAY } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { RecipientRecord } from './fraud.js';
import { FRAUD_THRESHOLDS } from './fraud-settings.js';

export type RecipientKeyring = Pick<Keyring, 'macs'>;

/** As long as the longest exemption that can be set. */
const VERIFIED_RETENTION_MS = FRAUD_THRESHOLDS.exemptDays.max * DAY;
/** Longer than the validity of a code, so that its verification finds the recipient. */
const UNVERIFIED_RETENTION_MS = 2 * DAY;

/** When the record is deleted. */
export const recordExpiry = ({ countedAt, verifiedAt }: RecipientRecord): number =>
  Math.max(countedAt + UNVERIFIED_RETENTION_MS, (verifiedAt ?? 0) + VERIFIED_RETENTION_MS);

/** Identifies a recipient in the guard's table. Stored values have the newest key; older ones are found, too. */
export const recipientKeysOf = (keyring: RecipientKeyring, applicationId: number, limitKey: string): string[] =>
  keyring.macs('fraud recipient', `${applicationId}:${limitKey}`);
