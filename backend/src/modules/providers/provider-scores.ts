/**
 * The scores of all providers. Outcomes are collected in memory and written in batches, because nothing waits for them: a
 * process that is killed loses those of a few seconds.
 */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { fromRow, toRow, type Row } from '../../platform/db/row.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { addScores, learn, NO_OUTCOMES, NO_SCORE, sizeOf, enteredShare, deliveredShare } from './provider-score.js';
import type { Outcomes, ProviderScore } from './provider-score.js';
import type { Route } from './route.js';

/** A provider with few outcomes in a country is also judged by so many of its outcomes in all countries. */
const BORROWED_OUTCOMES = 5;

/** Providers that are compared: those of an account, on a channel, for recipients in a country ("" for email). */
export type ScoreGroup = Pick<Route, 'accountId' | 'channel' | 'country'>;

type Scores = Map<string, ProviderScore>;

const GROUP_COLUMNS = ['account_id', 'channel', 'country'] as const;

const keyOf = ({ accountId, channel, country }: ScoreGroup): string => `${accountId} ${channel} ${country}`;

const toRows = ({ accountId: account_id, channel, country }: ScoreGroup, scores: Scores): Row[] =>
  [...scores].map(([provider, score]) => ({
    account_id,
    channel,
    country,
    provider,
    ...toRow(score),
  }));

function toGroups(rows: readonly Row[]): Map<string, Scores> {
  const groups = new Map<string, Scores>();
  for (const row of rows) {
    const { account_id: accountId, channel, country } = row;
    const key = keyOf({ accountId, channel, country } as ScoreGroup);
    groups.set(
      key,
      (groups.get(key) ?? new Map<string, ProviderScore>()).set(row.provider as string, fromRow<ProviderScore>(row)),
    );
  }
  return groups;
}

export type ProviderScores = ReturnType<typeof createProviderScores>;

export function createProviderScores(db: Knex, inTransaction: InTransaction, clock: Clock) {
  let groups = new Map<string, Scores>();
  /** The scores of all countries together, by account, channel and provider. */
  let totals = new Map<string, ProviderScore>();
  let pending = new Map<string, { readonly group: ScoreGroup; readonly outcomes: Map<string, Outcomes> }>();

  const totalKey = ({ accountId, channel }: ScoreGroup, provider: string) => `${accountId} ${channel} ${provider}`;

  function record(group: ScoreGroup, provider: string, added: Partial<Outcomes>): void {
    const key = keyOf(group);
    const entry = pending.get(key) ?? { group, outcomes: new Map<string, Outcomes>() };
    const before = entry.outcomes.get(provider) ?? NO_OUTCOMES;
    const sum = (name: keyof Outcomes) => before[name] + (added[name] ?? 0);
    pending.set(key, entry);
    entry.outcomes.set(provider, {
      entered: sum('entered'),
      notEntered: sum('notEntered'),
      delivered: sum('delivered'),
      undelivered: sum('undelivered'),
    });
    // This process reacts at once.
    const known = groups.get(key) ?? new Map<string, ProviderScore>();
    groups.set(key, learn(known, new Map([[provider, { ...NO_OUTCOMES, ...added }]]), clock.now()));
  }

  /** Adds rows without outcomes, which `add` can lock. Otherwise, two processes could overwrite each other's first outcomes. */
  async function addEmpty(added: typeof pending): Promise<void> {
    const empty = { ...NO_SCORE, updatedAt: clock.now() };
    const rows = [...added.values()].flatMap(({ group, outcomes }) =>
      toRows(group, new Map([...outcomes.keys()].map((provider) => [provider, empty]))),
    );
    await db('provider_scores')
      .insert(rows)
      .onConflict([...GROUP_COLUMNS, 'provider'])
      .ignore();
  }

  /** Adds all outcomes to the stored scores. Locks the scores of whole groups, because they fade together. */
  async function add(trx: Knex, added: typeof pending): Promise<void> {
    const all = [...added.values()].map(({ group }) => group);
    const stored: Row[] = await trx('provider_scores')
      .whereIn('account_id', [...new Set(all.map(({ accountId }) => accountId))])
      .whereIn('channel', [...new Set(all.map(({ channel }) => channel))])
      .whereIn('country', [...new Set(all.map(({ country }) => country))])
      .orderBy([...GROUP_COLUMNS, 'provider'])
      .forUpdate();
    const before = toGroups(stored);
    const rows = [...added]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, { group, outcomes }]) =>
        toRows(group, learn(before.get(key) ?? new Map<string, ProviderScore>(), outcomes, clock.now())),
      );
    await trx('provider_scores')
      .insert(rows)
      .onConflict([...GROUP_COLUMNS, 'provider'])
      .merge();
  }

  /** Writes the outcomes of this process. After a failure, they are written later. */
  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const added = pending;
    pending = new Map();
    try {
      await addEmpty(added);
      await inTransaction((trx) => add(trx, added));
    } catch (error) {
      for (const { group, outcomes } of added.values())
        for (const [provider, counts] of outcomes) record(group, provider, counts);
      throw error;
    }
  }

  /** Reads the scores that all processes have written. */
  async function read(): Promise<void> {
    const rows: Row[] = await db('provider_scores');
    groups = toGroups(rows);
    const parts = new Map<string, ProviderScore[]>();
    for (const row of rows) {
      const key = `${row.account_id as number} ${row.channel as string} ${row.provider as string}`;
      parts.set(key, [...(parts.get(key) ?? []), fromRow<ProviderScore>(row)]);
    }
    totals = new Map([...parts].map(([key, scores]) => [key, addScores(scores.map((score) => [score, 1]))]));
  }

  function scoreIn(group: ScoreGroup, provider: string): ProviderScore {
    const own = groups.get(keyOf(group))?.get(provider) ?? NO_SCORE;
    const total = totals.get(totalKey(group, provider)) ?? NO_SCORE;
    const size = Math.max(sizeOf(enteredShare(total)), sizeOf(deliveredShare(total)));
    if (size <= sizeOf(enteredShare(own)) + sizeOf(deliveredShare(own))) return own;
    const borrowed = addScores([[total, Math.min(1, BORROWED_OUTCOMES / size)]]);
    return addScores([
      [own, 1],
      [{ ...borrowed, recentDelivered: 0, recentUndelivered: 0 }, 1],
    ]);
  }

  return {
    record,
    write,
    read,
    scoreIn,
    /** Returns a provider's score in all countries. */
    totalOf: (group: Pick<ScoreGroup, 'accountId' | 'channel'>, provider: string): ProviderScore =>
      totals.get(totalKey({ ...group, country: '' }, provider)) ?? NO_SCORE,
    /** Deletes scores that were not updated since `before`, such as those of removed providers. */
    cleanUp: async (before: number): Promise<void> => {
      await db('provider_scores').where('updated_at', '<', before).delete();
    },
  };
}
