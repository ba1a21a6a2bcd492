/**
 * Counts what happened to a code after it was requested. Pure functions. A recipient counts as long as one of the codes since
 * the count may have been sent, and none of them was entered.
 */
import { startOfDay } from '../../platform/clock.js';
import type { CodeOutcome } from '../messages/code-outcomes.js';
import { prefixesOf } from '../recipients/number-prefixes.js';
import type { Charge, DayCount, ExcessChange, Knowledge, RecipientRecord, ScopeRef } from './fraud.js';
import { BURST_PER_HOUR, ONE_RECIPIENT, PREFIX_PER_HOUR } from './gauges.js';

export interface RequestedCode {
  /** E.164 number, as in `countedNumber` of `recipients`. */
  readonly number: string;
  readonly country: string;
  readonly createdAt: number;
}

export interface Settled {
  readonly record: RecipientRecord;
  readonly charges: readonly Charge[];
  readonly day?: DayCount;
}

const NOT_COUNTED: ExcessChange = { excess: -1, sent: -1, verified: 0 };

/** Returns the scopes in which a recipient was counted, and how much of their excess an hour takes away at the least. */
function countedScopes({ number, country }: RequestedCode, { address, together, isSolved, payback }: RecipientRecord) {
  if (payback === 0) return [];
  const refs: ScopeRef[] = [
    ...(address === undefined ? [] : [{ scope: 'address', key: address } as const]),
    { scope: 'country', key: country },
    ...(isSolved ? [{ scope: 'solved', key: country } as const] : []),
    ...(together === undefined ? [] : [{ scope: 'newCountries', key: together } as const]),
  ];
  return [
    ...prefixesOf(number).map((key, n) => ({ scope: 'prefix', key, perHour: PREFIX_PER_HOUR[n]! }) as const),
    ...refs.map((ref) => ({ ...ref, perHour: 1 })),
    { scope: 'burst', key: '', perHour: BURST_PER_HOUR } as const,
  ];
}

function verified(code: RequestedCode, record: RecipientRecord, now: number): Settled {
  const entered = { openCodes: 0, streak: 0, address: undefined, payback: 0, verifiedAt: now };
  const after = { ...record, ...entered, version: record.version + 1 };
  if (record.openCodes === 0) return { record: after, charges: [] };
  const change = { excess: -record.payback, sent: 0, verified: 1 };
  const charges = countedScopes(code, record).map((ref) => ({ ...ref, change, perHour: 0, at: 0 }));
  return {
    record: after,
    charges,
    day: { country: code.country, day: startOfDay(record.countedAt), sent: 0, verified: 1 },
  };
}

/** A provider has taken the code later, so it counts again, in the same scopes as when it was requested. */
function accepted(code: RequestedCode, record: RecipientRecord, now: number): Settled {
  const after = { ...record, streak: record.streak + 1, version: record.version + 1 };
  if (record.openCodes > 0) return { record: { ...after, openCodes: record.openCodes + 1 }, charges: [] };
  // The recipient was exempt, or is counted only once in a quarter of an hour.
  if (record.countedAt > 0) return { record: after, charges: [] };
  const { country, createdAt } = code;
  return {
    record: { ...after, openCodes: 1, countedAt: createdAt },
    charges: countedScopes(code, record).map((ref) => ({ ...ref, change: ONE_RECIPIENT, at: now })),
    day: { country, day: startOfDay(createdAt), sent: 1, verified: 0 },
  };
}

/** The code has not arrived. If no other one may have, the recipient no longer counts, and the next code counts again. */
function notArrived(
  code: RequestedCode,
  record: RecipientRecord,
  outcome: Exclude<CodeOutcome, 'accepted'>,
  stateOf: Knowledge['stateOf'],
): Settled {
  // Owners of number ranges can let reports fail. Only where people enter codes, this must not count against them.
  const isBelieved = outcome === 'notSent' || record.together === undefined;
  const streak = isBelieved ? Math.max(0, record.streak - 1) : record.streak;
  const after = { ...record, streak, version: record.version + 1 };
  if (record.openCodes === 0 || code.createdAt < record.countedAt) return { record: after, charges: [] };
  if (record.openCodes > 1) return { record: { ...after, openCodes: record.openCodes - 1 }, charges: [] };
  const scopes = isBelieved ? countedScopes(code, record) : [];
  // A pause has already subtracted its recipients from the larger scopes.
  if (scopes.some((ref) => (stateOf(ref)?.pausedAt ?? 0) >= record.countedAt)) return { record: after, charges: [] };
  return {
    record: { ...after, openCodes: 0, countedAt: 0 },
    charges: scopes.map((ref) => ({ ...ref, change: NOT_COUNTED, perHour: 0, at: 0 })),
    day: { country: code.country, day: startOfDay(record.countedAt), sent: -1, verified: 0 },
  };
}

/** Returns the recipient's record after an outcome of a code, and what it changes in the counts. */
export function settle(
  code: RequestedCode,
  record: RecipientRecord,
  outcome: CodeOutcome | 'verified',
  stateOf: Knowledge['stateOf'],
  now: number,
): Settled {
  if (outcome === 'verified') return verified(code, record, now);
  // The recipient has entered a code since, or no record of the code exists.
  if ((record.verifiedAt ?? 0) >= code.createdAt || record.sentAt === 0) return { record, charges: [] };
  return outcome === 'accepted' ? accepted(code, record, now) : notArrived(code, record, outcome, stateOf);
}
