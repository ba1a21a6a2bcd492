/**
 * Every refusal contains the time of the next possible attempt: the message is refused before this time, and accepted
 * from then on.
 */
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import type { FraudSend, GuardedApplication, Increment, RuleName } from '../../backend/src/modules/fraud/fraud.js';
import { hintOf, retryAfterSeconds } from '../../backend/src/modules/fraud/fraud-explanation.js';
import { pause, pauseByPerson } from '../../backend/src/modules/fraud/fraud-ladder.js';
import { createReplay } from '../fraud/replay.js';
import { decide } from '../../backend/src/modules/fraud/fraud-rules.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { bucket, counts, guarded, history, NOON, send } from '../support/fraud.js';

const HISTORY: readonly Increment[] = history(0.7).flatMap((day) => [
  { dimension: 'country', key: 'DE', size: 'day', ...day },
  { dimension: 'application', key: '', size: 'day', ...day },
]);

interface Scenario {
  readonly rule: RuleName;
  /** Number of messages before the refused message, and the time between them. */
  readonly count: number;
  readonly every: number;
  /** Returns the n-th message. */
  readonly message: (n: number) => Partial<FraudSend>;
  readonly application?: Partial<GuardedApplication>;
  readonly settings?: Partial<FraudSettings>;
}

const digits = (n: number): string => String(n).padStart(4, '0');
/** Spreads messages over prefixes, so that R3 does not pause any. */
const german = (n: number) => ({ number: `+49${1510 + (n % 400)}${digits(n)}${digits(n)}`, country: 'DE' });
const inCountry = (country: string, n: number) => ({ number: `+33${600 + (n % 97)}${digits(n)}12`, country });
const R2_ONLY = { countryUnverified: 0 };
const COUNTRIES = ['FR', 'IT', 'ES', 'NL', 'BE', 'PT'];

const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ['10 in an hour in a country', { rule: 'R2', count: 10, every: MINUTE, message: (n) => inCountry('FR', n) }],
  [
    '40 in a day in a country',
    { rule: 'R2', count: 40, every: 25 * MINUTE, message: (n) => inCountry('FR', n), settings: R2_ONLY },
  ],
  [
    '30 in an hour in all new countries',
    { rule: 'R2', count: 30, every: MINUTE, message: (n) => inCountry(COUNTRIES[n % 6]!, n), settings: R2_ONLY },
  ],
  [
    'a prefix',
    { rule: 'R3', count: 30, every: MINUTE, message: (n) => ({ number: `+4915112345${digits(n).slice(1)}` }) },
  ],
  ['the home country', { rule: 'R4', count: 200, every: 10_000, message: german }],
  [
    'all countries without a history',
    {
      rule: 'R4',
      count: 60,
      every: MINUTE,
      message: (n) => inCountry(COUNTRIES[n % 6]!, n),
      application: { countries: COUNTRIES },
    },
  ],
  [
    'an address that requests many codes at once',
    {
      rule: 'R5',
      count: 100,
      every: 4000,
      message: (n) => ({ ...german(n), source: '192.0.2.1' }),
      settings: { homeExcess: 1000, newCountryPerHour: 0 },
    },
  ],
  [
    'an address in many countries',
    {
      rule: 'R5',
      count: 5,
      every: MINUTE,
      message: (n) => ({ ...inCountry(COUNTRIES[n]!, n), source: '192.0.2.1' }),
    },
  ],
  ['the cost of a day', { rule: 'R6', count: 200, every: MINUTE, message: (n) => ({ ...german(n), cost: 5000 }) }],
];

it.each(SCENARIOS)('after %s', (_name, { rule, count, every, message, application, settings }) => {
  const replay = createReplay({
    application: guarded({ countries: [], ...application }),
    settings: { ...fraudSettingsOf(), ...settings },
    history: HISTORY,
  });
  const accepts = (n: number, at: number) => replay.send({ ...send(message(n)) }, at);
  let n = 0;
  while (n < count && accepts(n, NOON + n * every).allowed) n++;
  let at = NOON + n * every + 3 * MINUTE;
  const decision = accepts(n, at);
  if (decision.allowed) throw new Error(`message ${n} was accepted`);
  const { refusal } = decision;
  expect(refusal.rule).toBe(rule);
  expect(retryAfterSeconds(refusal, at)).toBeGreaterThanOrEqual(1);
  expect(retryAfterSeconds(refusal, at)).toBeLessThanOrEqual((DAY + HOUR) / 1000);

  at += retryAfterSeconds(refusal, at) * 1000;
  expect(accepts(n, refusal.until! - 1).allowed).toBe(false);
  expect(accepts(n, at).allowed).toBe(true);
});

it('when several limits are reached, until the last one ends', () => {
  const country = { minutes: [], hours: [bucket(23 * HOUR, 40, 0)], days: [] };
  const newCountries = { minutes: [bucket(10 * MINUTE, 30, 0)], hours: [] };
  const rows = counts({ country, newCountries });
  const decision = decide(send(inCountry('FR', 1)), rows, guarded(), fraudSettingsOf(), NOON);
  expect(decision).toMatchObject({ allowed: false, refusal: { scope: 'country', until: NOON + 2 * HOUR } });
  const later = { ...newCountries, minutes: [bucket(-100 * MINUTE, 30, 0)] };
  const application = guarded();
  const at = NOON + 100 * MINUTE;
  expect(
    decide(send(inCountry('FR', 1)), { ...rows, newCountries: later }, application, fraudSettingsOf(), at),
  ).toMatchObject({
    refusal: { scope: 'application', until: at + 61 * MINUTE },
  });
});

it('when several scopes are paused, until the last pause ends', () => {
  const trip = { rule: 'R4', established: false, evidence: { from: NOON, sent: 40, verified: 0 } } as const;
  const prefix = pause(undefined, { ...trip, rule: 'R3', scope: 'prefix', key: '+491511234' }, NOON);
  const country = pause(undefined, { ...trip, scope: 'country', key: 'DE' }, NOON + 10 * MINUTE);
  const refusalOf = (scopes: GuardedApplication['scopes']) => {
    const decision = decide(send(), counts(), guarded({ scopes }), fraudSettingsOf(), NOON + 20 * MINUTE);
    return decision.allowed ? undefined : decision.refusal;
  };
  expect(refusalOf([prefix])).toMatchObject({ scope: 'prefix', until: NOON + HOUR });
  expect(refusalOf([prefix, country])).toMatchObject({ scope: 'country', until: NOON + 70 * MINUTE });
  const forever = { ...prefix, pausedUntil: undefined };
  expect(refusalOf([forever, country])).toMatchObject({ scope: 'prefix', until: undefined });
});

it('after a day, if only a person can end the pause', () => {
  const scopes = [pauseByPerson(undefined, { scope: 'country', key: 'DE' }, NOON)];
  const decision = decide(send(), counts(), guarded({ scopes }), fraudSettingsOf(), NOON);
  if (decision.allowed) throw new Error('the message was accepted');
  expect(retryAfterSeconds(decision.refusal, NOON)).toBe(DAY / 1000);
});

it.each(['R2', 'R3', 'R4', 'R5', 'R6', 'person'] as const)('%s has a hint that says what to do', (rule) => {
  const evidence = { from: NOON, sent: 1, verified: 0 };
  expect(hintOf({ rule, evidence })).toMatch(/\. .*(list all countries|another channel).*\.$/);
});
