/**
 * Remembers the records that this process has changed in the last seconds, so that parallel sends to one recipient see each
 * other before their records are stored.
 */
import { SECOND } from '../../platform/clock.js';
import type { RecipientRecord } from './fraud.js';

/** Longer than a send takes from reading the record to the decision. */
const REMEMBERED_MS = 2 * SECOND;

export function createRecentRecords() {
  /** By the recipient's key, oldest first. */
  const records = new Map<string, { readonly record: RecipientRecord; readonly at: number }>();

  return {
    /** Returns the newer one of the remembered record and the one that was read. */
    latest(key: string, read: RecipientRecord | undefined, now: number): RecipientRecord | undefined {
      const own = records.get(key);
      if (!own || own.at <= now - REMEMBERED_MS) return read;
      return read !== undefined && read.version > own.record.version ? read : own.record;
    },

    add(key: string, record: RecipientRecord, now: number): void {
      for (const [old, { at }] of records) {
        if (at > now - REMEMBERED_MS) break;
        records.delete(old);
      }
      records.delete(key);
      records.set(key, { record, at: now });
    },

    remove: (key: string): void => void records.delete(key),
  };
}
