/**
 * Counts the messages that the guard refuses, and the people whom it challenges, by rule and country, and tells the owners
 * about refusals: at once when customers seem to be affected, otherwise once a day.
 */
import { createBatcher } from '../../platform/batch.js';
import { DAY, MINUTE, SECOND, startOfDay, utcDay, type Clock } from '../../platform/clock.js';
import { dayBefore, localDay, startOfLocalDay } from '../../platform/local-day.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { isWithinLimits } from '../../platform/rate-limit/within-limits.js';
import type { CountedRefusal } from './fraud.js';
import type { Reported, FraudNotices } from './fraud-notices.js';
import type { RefusalsStore } from './refusals-store.js';

/** The days of all time zones start at the beginning of such a period. */
export const PERIOD_MS = 15 * MINUTE;
/** More people than this in countries that the application serves may be customers. */
const AFFECTED_PEOPLE = 5;
export const REFUSALS_SHOWN_DAYS = 7;

/** Returns the start of the first day whose refusals are shown. The last one is today. */
export const refusalsStart = (now: number, zone: string): number =>
  startOfLocalDay(dayBefore(localDay(now, zone), REFUSALS_SHOWN_DAYS - 1), zone);

/** In epoch milliseconds. Empty without `from`; without `until`, it has not ended. */
export interface Period {
  readonly from: number | undefined;
  readonly until: number | undefined;
}

/** Joins periods that overlap. Rounds their starts down to those of counting periods. */
function joined(periods: readonly Period[]): { from: number; until: number }[] {
  const rounded = periods.flatMap(({ from, until = Infinity }) =>
    from === undefined ? [] : [{ from: Math.floor(from / PERIOD_MS) * PERIOD_MS, until }],
  );
  const all: { from: number; until: number }[] = [];
  for (const period of rounded.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && period.from < last.until) last.until = Math.max(last.until, period.until);
    else all.push(period);
  }
  return all;
}

interface Refused extends Pick<CountedRefusal, 'rule' | 'country' | 'isServed'> {
  readonly outcome: 'refused' | 'challenged';
  readonly application: Reported;
  readonly recipientKey: string;
}

interface Dependencies {
  readonly store: RefusalsStore;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly notices: Pick<FraudNotices, 'refused'>;
  readonly clock: Clock;
}

export type RefusalCounts = ReturnType<typeof createRefusalCounts>;

export function createRefusalCounts({ store, limiter, notices, clock }: Dependencies) {
  let digestedDay: number | undefined;

  /** Stores the counts of parallel refusals together, because an attack causes many of them. */
  const count = createBatcher(async (refused: readonly (Refused & { readonly isNew: boolean })[]) => {
    const start = Math.floor(clock.now() / PERIOD_MS) * PERIOD_MS;
    await store.add(
      refused.map(({ application, outcome, rule, country, isServed, isNew }) => {
        const people = isNew ? 1 : 0;
        const counts =
          outcome === 'refused'
            ? { messages: 1, people, challenged: 0 }
            : { messages: 0, people: 0, challenged: people };
        return { applicationId: application.id, start, rule, country, isServed, ...counts };
      }),
    );
    return refused.map(() => undefined);
  });

  const ofDay = (applicationId: number, now: number): Promise<CountedRefusal[]> =>
    store.sums(applicationId, startOfDay(now));

  /** Returns the refusals of the UTC day before today by rule and country, most messages first. */
  function yesterday(applicationId: number): Promise<CountedRefusal[]> {
    const today = startOfDay(clock.now());
    return store.sums(applicationId, today - DAY, today);
  }

  return {
    async add(refused: Refused): Promise<void> {
      const { application, outcome, recipientKey } = refused;
      const { id: applicationId } = application;
      const now = clock.now();
      const key = `${outcome}:${applicationId}:${utcDay(now)}:${recipientKey}`;
      const once: Rule = { key, code: 'FRAUD_SUSPECTED', windows: [{ limit: 1, seconds: DAY / SECOND }] };
      const isNew = await isWithinLimits(limiter, [once]);
      await count({ ...refused, isNew });
      if (outcome === 'challenged' || !isNew || !refused.isServed || notices.refused.isReported(applicationId, now))
        return;
      const today = await ofDay(applicationId, now);
      const affected = today.filter(({ isServed }) => isServed).reduce((sum, { people }) => sum + people, 0);
      if (affected > AFFECTED_PEOPLE) await notices.refused.report(application, today, utcDay(now), now);
    },

    between: store.sums,
    byPeriod: store.byPeriod,
    lastPeriods: store.lastPeriods,
    /** Returns the refusals within any of some periods, each once. Starts are rounded down to those of counting periods. */
    async during(applicationId: number, periods: readonly Period[]): Promise<CountedRefusal[]> {
      const sums = joined(periods).map(({ from, until }) => store.sums(applicationId, from, until));
      return (await Promise.all(sums)).flat();
    },
    challengedBetween: store.challenged,

    today: (applicationId: number): Promise<CountedRefusal[]> => ofDay(applicationId, clock.now()),

    /** Returns the refusals of the last days by rule and country, most messages first. */
    shown: (applicationId: number, zone: string): Promise<CountedRefusal[]> =>
      store.sums(applicationId, refusalsStart(clock.now(), zone)),

    /** Tells the owners what was refused yesterday, unless they were told that day. Runs once in a while. */
    async digest(): Promise<void> {
      const now = clock.now();
      const day = startOfDay(now) - DAY;
      if (digestedDay === day) return;
      for (const one of await store.applicationsOf(day, day + DAY))
        await notices.refused.report(one, await yesterday(one.id), utcDay(day), now);
      digestedDay = day;
    },

    deleteOld: (): Promise<void> => store.deleteOld(startOfDay(clock.now()) - REFUSALS_SHOWN_DAYS * DAY),
  };
}
