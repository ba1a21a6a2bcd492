/** An application whose requests the rules of the fraud guard judge, for tests. */
import type { DayCount, Decision, FraudSend, GuardedApplication } from '../../backend/src/modules/fraud/fraud.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { DAY, startOfDay } from '../../backend/src/platform/clock.js';
import { createReplay } from './replay.js';

export const NOON = Date.UTC(2026, 0, 20, 12);

/** Two weeks before {@link NOON}. */
export const twoWeeks = (country: string, sent: number, verified: number): DayCount[] =>
  Array.from({ length: 14 }, (_, i) => ({ country, day: startOfDay(NOON) - (i + 1) * DAY, sent, verified }));

const CALLING_CODES: Readonly<Record<string, string>> = { DE: '49', FR: '33', AT: '43', CH: '41', UZ: '998' };

/** Returns a number with a prefix that no other number has. */
export const numberIn = (country: string, index: number): string => `+${CALLING_CODES[country]}${100 + index}000000`;

/** A recipient in Germany who asks again and again. */
export const SAME = '+4916099999999';
const COUNTRIES = ['FR', 'AT', 'CH', 'UZ'];
export const inTurn = (index: number) => ({ country: COUNTRIES[index % COUNTRIES.length]! });
/** One of 10,000 numbers with the same prefix. */
export const inPrefix = (index: number) => ({ number: `+491511234${1000 + index}` });
/** One of a million numbers with the same prefix, of which no two have the same longer prefix. */
export const inRange = (index: number) => ({ number: `+4915122${10 + index}0000` });

/** Returns the milliseconds until the refusal ends; undefined if only a challenge or a person ends it. */
export function waitOf(decision: Decision, now: number): number | undefined {
  if (decision.outcome === 'allowed') throw new Error('it is allowed');
  const { until } = decision.refusal;
  return until === undefined ? undefined : until - now;
}

export interface ShopOptions {
  readonly application?: Partial<GuardedApplication>;
  readonly settings?: Partial<FraudSettings>;
  readonly history?: readonly DayCount[];
}

type Request = Partial<Omit<FraudSend, 'country'>> & { readonly country?: string };

/** By default, 80% of the recipients in Germany, which is the home country, have entered their codes for two weeks. */
export function createShop({ application, settings, history = twoWeeks('DE', 100, 80) }: ShopOptions = {}) {
  const defaults = { homeCountry: 'DE', countries: [], hasChallenge: false, verifiedElsewhere: false };
  const replay = createReplay({ ...defaults, ...application }, fraudSettingsOf(settings), history);
  let now = NOON;
  let index = 0;

  function decide({ country = 'DE', ...changes }: Request = {}): Decision {
    const defaults = { kind: 'code', address: undefined, voice: false, isChallengeSolved: false } as const;
    return replay.send({ ...defaults, number: numberIn(country, index++), ...changes, country }, now);
  }

  /** Requests a message for a new recipient. Returns the outcome, such as `refused country`. */
  function ask(request?: Request): string {
    const decision = decide(request);
    return decision.outcome === 'allowed' ? 'allowed' : `${decision.outcome} ${decision.refusal.rule}`;
  }

  return {
    replay,
    decide,
    ask,
    now: () => now,
    wait: (ms: number) => void (now += ms),

    /** Requests messages until the first that is not allowed. Returns the number of allowed ones, at most 500. */
    askUntilRefused(request: Request | ((index: number) => Request) = {}): number {
      for (let allowed = 0; allowed < 500; allowed++)
        if (ask(typeof request === 'function' ? request(allowed) : request) !== 'allowed') return allowed;
      return Infinity;
    },
    askTimes: (count: number, request?: Request): string[] => Array.from({ length: count }, () => ask(request)),

    enter: (number: string, country = 'DE') => replay.settle({ number, country }, 'verified', now),
    loseCode: (number: string, country = 'DE') => replay.settle({ number, country }, 'undelivered', now),
    /** The excess that is stored, without what time has taken away since. */
    excess: (scope: 'prefix' | 'address' | 'country' | 'newCountries' | 'burst', key = ''): number =>
      replay.excessOf({ scope, key })?.excess ?? 0,
  };
}
