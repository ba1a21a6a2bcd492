/**
 * The daily budget is a limit of the application, no longer a setting of the fraud guard. The previous version still reads
 * the setting, so it stays stored.
 */
import type { Knex } from 'knex';

interface Stored {
  readonly limits?: Readonly<Record<string, number>>;
  readonly fraud?: Readonly<Record<string, number>>;
}

/** Copies the budget. A budget of 0 was off, which limits nothing. */
async function copyBudgets(db: Knex, table: 'applications' | 'accounts', column: string): Promise<void> {
  const rows: Record<string, unknown>[] = await db(table).where(column, 'like', '%"spendBudget"%').select('id', column);
  for (const { id, [column]: text } of rows) {
    const stored = JSON.parse(text as string) as Stored;
    const budgetPerDay = stored.fraud?.spendBudget ?? 0;
    if (budgetPerDay === 0) continue;
    const limits = { budgetPerDay, ...stored.limits };
    await db(table)
      .where({ id: id as number })
      .update({ [column]: JSON.stringify({ ...stored, limits }) });
  }
}

export async function up(db: Knex): Promise<void> {
  await copyBudgets(db, 'applications', 'settings');
  await copyBudgets(db, 'accounts', 'ceilings');
}
