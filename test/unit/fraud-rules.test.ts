/** The rules of the fraud guard, each with counters just below and at its threshold. */
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import type {
  Bucket,
  FraudCounts,
  FraudSend,
  GuardedApplication,
  Refusal,
} from '../../backend/src/modules/fraud/fraud.js';
import { explain } from '../../backend/src/modules/fraud/fraud-explanation.js';
import { allowByPerson, pause, pauseByPerson } from '../../backend/src/modules/fraud/fraud-ladder.js';
import { decide } from '../../backend/src/modules/fraud/fraud-rules.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { spendAlert } from '../../backend/src/modules/fraud/fraud-spend.js';
import { bucket, counts, guarded, history, inCountry, NOON, send, sourceBucket, today } from '../support/fraud.js';

interface Situation {
  readonly send?: Partial<FraudSend>;
  readonly counts?: Partial<FraudCounts>;
  readonly application?: Partial<GuardedApplication>;
  readonly settings?: Partial<FraudSettings>;
}

const decisionIn = ({ send: fields, counts: rows, application, settings }: Situation) =>
  decide(send(fields), counts(rows), guarded(application), fraudSettingsOf(settings), NOON);

function refusalIn(situation: Situation): Refusal | undefined {
  const decision = decisionIn(situation);
  return decision.allowed ? undefined : decision.refusal;
}

const reason = (situation: Situation): string => {
  const refusal = refusalIn(situation);
  return refusal ? `${refusal.rule} ${refusal.scope} ${refusal.key}`.trim() : 'allowed';
};

const LISTED = { countries: ['FR'] };
const FOREIGN = { number: '+33612345678', country: 'FR' };
const recipientVerifiedDaysAgo = (days: number) => ({
  countedAt: 0,
  messages: 1,
  unverified: 0,
  source: undefined,
  newCountry: false,
  verifiedAt: NOON - days * DAY,
});
/** Counts that pause the home country, because none of 40 recipients entered a code. */
const ATTACK = inCountry([bucket(10 * MINUTE, 40, 0)]);
const minutesAgo = (sent: number, verified = 0, ago = 10 * MINUTE) => [bucket(ago, sent, verified)];

describe('R0: recipients who were verified before', () => {
  it.each([
    [89, 'allowed'],
    [91, 'R4 country DE'],
  ])('is checked during an attack for a recipient verified %d days ago: %s', (days, expected) => {
    expect(reason({ send: { recipient: recipientVerifiedDaysAgo(days) }, counts: ATTACK })).toBe(expected);
  });

  it('does not apply to a pause by a person, nor to an exhausted budget', () => {
    const scopes = [pauseByPerson(undefined, { scope: 'application', key: '' }, NOON)];
    const situation = { counts: { applicationDays: [today(0, 0, 999_999)] } };
    const verified = { recipient: recipientVerifiedDaysAgo(1) };
    expect(reason({ ...situation, send: verified })).toBe('allowed');
    expect(reason({ ...situation, settings: { spendBudget: 1 }, send: verified })).toBe('R6 application');
    expect(reason({ ...situation, application: { scopes }, send: verified })).toBe('person application');
  });
});

describe('R2: countries without a history', () => {
  const unverified = (perHour: number, perDay: number, days = [today(0, 0)]) => ({
    ...inCountry([bucket(30 * MINUTE, perHour, 0)], days, [bucket(5 * HOUR, perDay - perHour, 0)]),
  });
  const R2_ONLY = { prefixUnverified: 0, countryUnverified: 0 };

  it.each([
    ['9 in the hour', unverified(9, 9), {}, 'allowed'],
    ['10 in the hour', unverified(10, 10), {}, 'R2 country FR'],
    ['39 in the day', unverified(0, 39), {}, 'allowed'],
    ['40 in the day', unverified(0, 40), {}, 'R2 country FR'],
    ['10 in the hour, of which 3 are verified', inCountry(minutesAgo(10, 3), [today(10, 3)]), {}, 'allowed'],
    ['10 in the hour, and 2 verifications in 14 days', unverified(10, 10, [today(20, 2)]), {}, 'R2 country FR'],
    ['10 in the hour, and 3 verifications in 14 days', unverified(10, 10, [today(20, 3)]), {}, 'allowed'],
    ['10 in the hour, in a listed country', unverified(10, 10), { countries: ['FR'] }, 'allowed'],
    ['10 in the hour, at home', unverified(10, 10), { homeCountry: 'FR' }, 'allowed'],
  ])('%s', (_case, rows, application, expected) => {
    expect(reason({ send: FOREIGN, counts: rows, application, settings: R2_ONLY })).toBe(expected);
  });

  it('caps all new countries together', () => {
    const rows = (sent: number) => ({
      ...inCountry([], []),
      newCountries: { minutes: minutesAgo(sent), hours: [] },
    });
    expect(reason({ send: FOREIGN, counts: rows(29), settings: R2_ONLY })).toBe('allowed');
    expect(reason({ send: FOREIGN, counts: rows(30), settings: R2_ONLY })).toBe('R2 application');
  });

  it('allows voice calls only to listed countries and the home country', () => {
    const voice = { ...FOREIGN, voice: true };
    expect(reason({ send: voice })).toBe('R2 country FR');
    expect(reason({ send: voice, application: { countries: ['FR'] } })).toBe('allowed');
    expect(reason({ send: { voice: true } })).toBe('allowed');
  });

  it('applies from the first day, even to applications that verify codes themselves', () => {
    const application = { guardedSince: NOON, verifiedElsewhere: true };
    expect(reason({ send: FOREIGN, counts: unverified(10, 10), application })).toBe('R2 country FR');
  });

  it('refuses messages until the oldest recipient is more than an hour old', () => {
    expect(refusalIn({ send: FOREIGN, counts: unverified(10, 10) })!.until).toBe(NOON + 31 * MINUTE);
  });
});

describe('R3: prefixes', () => {
  const prefix = (sent: number, verified = 0, ago = 10 * MINUTE) => ({
    prefixes: [minutesAgo(sent, verified, ago), []],
  });

  it.each([
    ['16 unverified', prefix(16), 0.7, false],
    ['17 unverified', prefix(17), 0.7, true],
    ['17 unverified, at a low usual conversion', prefix(17), 0.3, false],
    ['12 unverified, at a high usual conversion', prefix(12), 0.9, true],
    ['9 unverified, at any usual conversion', prefix(9), 0.9, false],
    ['17 unverified and 8 verified', prefix(25, 8), 0.7, false],
    ['17 unverified a minute ago', prefix(17, 0, MINUTE), 0.7, false],
    ['30 outstanding a minute ago', prefix(30, 0, MINUTE), 0.7, true],
    ['30 outstanding and 4 verified a minute ago', prefix(34, 4, MINUTE), 0.7, false],
  ])('%s', (_case, rows, conversion, paused) => {
    const result = reason({ counts: { ...rows, ...inCountry([], history(conversion)) } });
    expect(result).toBe(paused ? 'R3 prefix +491511234' : 'allowed');
  });

  it('pauses a prefix of a million numbers only if pausing ten thousand numbers is not enough', () => {
    expect(reason({ counts: { prefixes: [minutesAgo(1), minutesAgo(17)] } })).toBe('R3 prefix +4915112');
    expect(reason({ counts: { prefixes: [minutesAgo(17), minutesAgo(17)] } })).toBe('R3 prefix +491511234');
  });

  it("excludes the prefix's recipients from the counts of larger scopes", () => {
    const decision = decisionIn({ counts: { prefixes: [minutesAgo(30, 1), minutesAgo(30, 1)] } });
    const rows = decision.allowed ? [] : decision.trip!.increments;
    expect(rows.map(({ dimension, key, size, sent, verified }) => [dimension, key, size, sent, verified])).toEqual([
      ['prefix', '+4915112', 'minute', -29, 0],
      ['country', 'DE', 'minute', -29, 0],
      ['country', 'DE', 'hour', -29, 0],
      ['country', 'DE', 'day', -29, 0],
      ['application', '', 'day', -29, 0],
    ]);
  });
});

describe('R4: countries', () => {
  it.each([
    ['19 unverified', inCountry(minutesAgo(19)), 'allowed'],
    ['20 unverified', inCountry(minutesAgo(20)), 'R4 country DE'],
    ['60 of 200, as usual', inCountry(minutesAgo(200, 140)), 'allowed'],
    ['80 of 200, on a bad day', inCountry(minutesAgo(200, 120)), 'allowed'],
    ['130 of 200', inCountry(minutesAgo(200, 70)), 'R4 country DE'],
    [
      'a burst after a good hour',
      inCountry([bucket(40 * MINUTE, 300, 210), bucket(9 * MINUTE, 40, 8)]),
      'R4 country DE',
    ],
    ['a burst that is 2 minutes old', inCountry(minutesAgo(100, 0, 2 * MINUTE)), 'allowed'],
    ['bad hours long ago', inCountry(minutesAgo(90, 63), history(0.7), [bucket(20 * HOUR, 100, 20)]), 'allowed'],
  ])('at home, %s', (_case, rows, expected) => {
    expect(reason({ counts: rows })).toBe(expected);
  });

  it('uses the usual conversion rate, limited to 30 to 90 percent', () => {
    const twentyOf100 = minutesAgo(100, 20);
    expect(reason({ counts: inCountry(twentyOf100, history(0.05)) })).toBe('allowed');
    expect(reason({ counts: inCountry(twentyOf100, history(0.5)) })).toBe('R4 country DE');
  });

  it('pauses other countries for a slow attack, but only records a slow attack on the home country', () => {
    const drip = inCountry([], history(0.7), [bucket(20 * HOUR, 400, 160)]);
    const recorded = { allowed: true, observed: { rule: 'R4', scope: 'country', key: 'DE' } };
    expect(decisionIn({ counts: drip })).toMatchObject(recorded);
    expect(reason({ counts: drip, settings: { homeExcess: 0 } })).toBe('R4 country DE');
    expect(reason({ counts: drip, application: LISTED, send: FOREIGN })).toBe('R4 country FR');
    const recent = inCountry([], [], [bucket(20 * HOUR, 60, 5)]);
    expect(reason({ counts: recent, application: LISTED, send: FOREIGN })).toBe('R4 country FR');
    const burst = inCountry([bucket(9 * MINUTE, 23, 2)], history(0.7), drip.country.hours);
    expect(reason({ counts: burst })).toBe('R4 country DE');
  });

  it("judges a country by its own conversion rate only if it was established before today's messages", () => {
    const counted = (...days: Bucket[]) => inCountry([bucket(10 * MINUTE, 100, 30)], [...days, today(100, 30)]);
    const judge = (days: readonly Bucket[], scopes: GuardedApplication['scopes'] = []) =>
      reason({ send: FOREIGN, counts: counted(...days), application: { ...LISTED, scopes } });
    const yesterday = (sent: number, verified: number) => [{ ...bucket(DAY, sent, verified), start: NOON - 1.5 * DAY }];
    expect(judge([])).toBe('R4 country FR');
    expect(judge(yesterday(63, 19))).toBe('R4 country FR');
    expect(judge(yesterday(66, 20))).toBe('allowed');
    const trip = { rule: 'R4', scope: 'country', key: 'FR', evidence: { from: 0, sent: 0, verified: 0 } } as const;
    const pausedAs = (established: boolean) => [pause(undefined, { ...trip, established }, NOON - 2 * HOUR)];
    expect(judge(yesterday(200, 60), pausedAs(false))).toBe('R4 country FR');
    expect(judge(yesterday(200, 60), pausedAs(true))).toBe('allowed');
  });

  it('pauses all new countries, but no established country, for an attack that is spread over many countries', () => {
    const judge = (sent: number, days = history(0.7)) => {
      const newCountries = { minutes: minutesAgo(sent), hours: [] };
      return reason({ send: FOREIGN, counts: { ...inCountry([], days), newCountries }, application: LISTED });
    };
    expect([judge(39, []), judge(40, []), judge(40)]).toEqual(['allowed', 'R4 application', 'allowed']);
  });
});

describe('R6: spend', () => {
  const usual = history(0.7, 100_000);
  it.each([
    ['10 times the spend, the usual conversion', [...usual, today(5000, 3500, 1_000_000)], {}, 'allowed'],
    ['3 times the spend, a low conversion', [...usual, today(500, 100, 299_900)], {}, 'R6 application'],
    ['less than 3 times the spend', [...usual, today(500, 100, 299_000)], {}, 'allowed'],
    ['the budget, the usual conversion', [...usual, today(500, 350, 49_900)], { spendBudget: 5 }, 'R6 application'],
    ['below the budget', [...usual, today(500, 350, 49_000)], { spendBudget: 5 }, 'allowed'],
    ['a new application below the floor', [today(100, 0, 99_000)], {}, 'allowed'],
    ['a new application above the floor', [today(100, 0, 99_900)], {}, 'R6 application'],
  ])('%s', (_case, applicationDays, settings, expected) => {
    expect(reason({ counts: { applicationDays }, settings })).toBe(expected);
  });

  it('ignores the conversion rate of applications that verify codes themselves, unless they report verifications', () => {
    const applicationDays = [...history(0, 100_000), today(500, 350, 299_900)];
    expect(reason({ counts: { applicationDays }, application: { verifiedElsewhere: true } })).toBe('R6 application');
    const reported = { applicationDays: [...usual, today(500, 350, 299_900)] };
    expect(reason({ counts: reported, application: { verifiedElsewhere: true } })).toBe('allowed');
  });

  it('refuses messages until the end of the UTC day', () => {
    const applicationDays = [today(100, 0, 99_900)];
    expect(refusalIn({ counts: { applicationDays } })!.until).toBe(NOON + 12 * HOUR);
  });

  it.each([
    [49_000, 500, undefined],
    [49_600, 500, 0.5],
    [60_000, 500, 0.5],
    [79_600, 500, 0.8],
    [49_600, 40_000, 0.8],
    [0, 0, undefined],
  ])('alerts at 50 and 80 percent of the limit: %d plus a message that costs %d', (before, cost, expected) => {
    expect(spendAlert([today(1, 1, before)], cost, fraudSettingsOf(), NOON)?.share).toBe(expected);
  });
});

describe('decisions about observed, allowed and paused scopes', () => {
  it.each([
    ['in the first 7 days', { guardedSince: NOON - 6 * DAY }],
    ['before the first verification', { everVerified: false }],
  ])('only record violations of R3 to R5 %s', (_case, application) => {
    const decision = decisionIn({ counts: ATTACK, application });
    expect(decision).toMatchObject({ allowed: true, observed: { rule: 'R4', key: 'DE' } });
  });

  it('ignore the conversion rate of applications that verify codes themselves', () => {
    const counts = { ...ATTACK, source: [sourceBucket(10 * MINUTE, 'DE', 60, 0)], applicationDays: history(0) };
    const decision = decisionIn({ send: { source: '192.0.2.1' }, counts, application: { verifiedElsewhere: true } });
    expect(decision).toMatchObject({ allowed: true, observed: undefined });
  });

  it.each([
    ['most are reported', [...history(0.7), today(100, 60)], 'R4 country DE'],
    ['nobody was reported since yesterday', [...history(0.7).slice(0, -1), today(100, 0)], 'allowed'],
    ['fewer than 30% are reported', [...history(0.29), today(100, 60)], 'allowed'],
    ['fewer than 50 people had a code', [today(40, 30)], 'allowed'],
  ])('use the conversion rate that an application reports: %s', (_case, applicationDays, expected) => {
    const counts = { ...ATTACK, applicationDays };
    expect(reason({ counts, application: { verifiedElsewhere: true } })).toBe(expected);
  });

  it('refuse paused scopes, even if a smaller scope is allowed', () => {
    const country = { scope: 'country', key: 'DE' } as const;
    const prefix = { scope: 'prefix', key: '+4915112' } as const;
    const paused = pauseByPerson(undefined, country, NOON - DAY);
    expect(reason({ application: { scopes: [paused] } })).toBe('person country DE');
    const allowed = allowByPerson(undefined, prefix, NOON, Infinity);
    expect(reason({ application: { scopes: [allowed, paused] } })).toBe('person country DE');
  });

  it('allow a prefix permanently, and a country for a day', () => {
    const prefix = allowByPerson(undefined, { scope: 'prefix', key: '+4915112' }, NOON - 900 * DAY, Infinity);
    const rows = { ...ATTACK, prefixes: [minutesAgo(30), minutesAgo(30)] };
    expect(reason({ counts: rows, application: { scopes: [prefix] } })).toBe('allowed');
    const country = (ago: number) => [allowByPerson(undefined, { scope: 'country', key: 'DE' }, NOON - ago)];
    expect(reason({ counts: ATTACK, application: { scopes: country(DAY - 1) } })).toBe('allowed');
    expect(reason({ counts: rows, application: { scopes: country(DAY - 1) } })).toBe('R3 prefix +491511234');
  });

  it('explain every refusal in a sentence', () => {
    const sentence = (situation: Situation) => explain(refusalIn(situation)!, NOON);
    expect(sentence({ counts: ATTACK })).toBe(
      'In 10 minutes, 40 of 40 recipients in Germany did not enter their code; up to 16 would be normal.',
    );
    expect(sentence({ counts: { applicationDays: [today(100, 0, 99_900)] } })).toBe(
      'Messages have cost 9.99 today; another one would exceed the limit of 10.00.',
    );
    expect(sentence({ send: { ...FOREIGN, voice: true } })).toBe(
      'Voice calls to France are allowed only if the application lists the country.',
    );
  });
});
