/**
 * Ceilings of accounts, and the size of the set that a code was chosen from, by which wrong guesses are weighed. Accounts that
 * exist keep what they use: their loosest limits, and twice their busiest day.
 */
import type { Knex } from 'knex';

/** The operator's own accounts, which have no ceilings. */
const OPERATOR_ACCOUNTS = ['operator@localhost', 'dashboard@localhost'];

/** The ceilings of new accounts when this migration was released. */
const CEILINGS = { applications: 20, messagesPerDay: 10_000, spendPerDay: 50 };
const BOUNDS: Readonly<Record<string, number>> = {
  cooldownSeconds: 10,
  sendsPer10Minutes: 20,
  sendsPerDay: 50,
  burstPerSecond: 100,
  burstPerMinute: 1000,
  wrongCodesPerLock: 10,
  wrongCodesPerHour: 50,
  notificationRepeatSeconds: 5,
  widgetCallsPerMinute: 600,
};
const PAUSES = ['cooldownSeconds', 'notificationRepeatSeconds'];

/** The looser one of two limits: the shorter pause, or the greater number of events, of which 0 is no limit. */
function looser(name: string, a: number, b: number): number {
  if (PAUSES.includes(name)) return Math.min(a, b);
  return a === 0 || b === 0 ? 0 : Math.max(a, b);
}

/** The bounds that the stored limits of an account's applications exceed. */
function exceededBounds(settings: readonly string[]): Record<string, number> {
  const bounds: Record<string, number> = {};
  for (const text of settings) {
    const { limits = {} } = JSON.parse(text) as { limits?: Record<string, number> };
    for (const [name, bound] of Object.entries(BOUNDS)) {
      const value = limits[name];
      if (value === undefined) continue;
      const loosest = looser(name, value, bounds[name] ?? bound);
      if (loosest !== bound) bounds[name] = loosest;
    }
  }
  return bounds;
}

async function keepWhatIsUsed(db: Knex): Promise<void> {
  const accounts = await db('accounts').whereNotIn('email', OPERATOR_ACCOUNTS).select('id');
  for (const { id } of accounts) {
    const settings: string[] = await db('applications').where({ account_id: id }).pluck('settings');
    const days = await db('usage_counts')
      .join('applications', 'applications.id', 'usage_counts.application_id')
      .where('applications.account_id', id)
      .groupBy('day', 'currency')
      .sum({ sent: 'sent', failed: 'failed', cost: 'cost' });
    const messages = Math.max(0, ...days.map(({ sent, failed }) => Number(sent) + Number(failed)));
    const spend = Math.ceil(Math.max(0, ...days.map(({ cost }) => Number(cost))) / 10_000);
    const ceilings = {
      applications: Math.max(CEILINGS.applications, 2 * settings.length),
      messagesPerDay: Math.max(CEILINGS.messagesPerDay, 2 * messages),
      spendPerDay: Math.max(CEILINGS.spendPerDay, 2 * spend),
      // An account may notify its own staff at one address all day, which no statistics show.
      recipientPer10Minutes: 0,
      recipientPerDay: 0,
      limits: exceededBounds(settings),
    };
    await db('accounts')
      .where({ id })
      .update({ ceilings: JSON.stringify(ceilings) });
  }
}

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('accounts', (t) => {
    t.text('ceilings');
  });
  await keepWhatIsUsed(db);
  await db.schema.alterTable('otp_sessions', (t) => {
    // Null: digits, as many as `code_length`.
    t.bigInteger('code_space');
  });
  await db.schema.alterTable('recipient_guesses', (t) => {
    // JSON: how much of the chance to guess a code was used in each hour.
    t.text('risks');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
