/** Types of statistics.mjs, for the tests. */
export function medianInterval(values: readonly number[]): { median: number; low: number; high: number };
