/** Creates sends, counters and applications for tests of the fraud guard. */
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
import type {
  Bucket,
  FraudCounts,
  FraudSend,
  GuardedApplication,
  KeyedBucket,
} from '../../backend/src/modules/fraud/fraud.js';

/** Noon UTC. */
export const NOON = Date.UTC(2026, 5, 10, 12);

export const send = (fields: Partial<FraudSend> = {}): FraudSend => ({
  number: '+4915112345678',
  country: 'DE',
  source: undefined,
  voice: false,
  cost: 500,
  recipient: undefined,
  ...fields,
});

export const guarded = (fields: Partial<GuardedApplication> = {}): GuardedApplication => ({
  homeCountry: 'DE',
  countries: [],
  guardedSince: NOON - 30 * DAY,
  everVerified: true,
  verifiedElsewhere: false,
  scopes: [],
  ...fields,
});

/** Returns a bucket that contains the time `ago` milliseconds before {@link NOON}. */
export const bucket = (ago: number, sent: number, verified: number, spend = 0): Bucket => ({
  start: Math.floor((NOON - ago) / MINUTE) * MINUTE,
  sent,
  verified,
  spend,
});

export const sourceBucket = (ago: number, country: string, sent: number, verified: number): KeyedBucket => ({
  ...bucket(ago, sent, verified),
  key: `192.0.2.1 ${country}`,
});

const dayBucket = (ago: number, sent: number, verified: number, spend = 0): Bucket => ({
  start: Math.floor((NOON - ago * DAY) / DAY) * DAY,
  sent,
  verified,
  spend,
});

/** Returns two weeks with 1,000 recipients a day. `conversion` is the share of verified recipients, from 0 to 1. */
export const history = (conversion: number, spend = 0): Bucket[] =>
  Array.from({ length: 13 }, (_, i) => dayBucket(13 - i, 1000, 1000 * conversion, spend));

export const today = (sent: number, verified: number, spend = 0): Bucket => dayBucket(0, sent, verified, spend);

const NOTHING = { minutes: [], hours: [] };

export function counts(fields: Partial<FraudCounts> = {}): FraudCounts {
  const country = { ...NOTHING, days: history(0.7) };
  return {
    prefixes: [[], []],
    country,
    newCountries: NOTHING,
    source: [],
    sourceMarks: [],
    applicationDays: history(0.7),
    ...fields,
  };
}

export const inCountry = (minutes: readonly Bucket[], days = history(0.7), hours: readonly Bucket[] = []) => ({
  country: { minutes, hours, days },
});
