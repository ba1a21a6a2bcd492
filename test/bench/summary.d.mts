/** Types of summary.mjs, for the tests. */
interface Run {
  readonly server: string;
  readonly phase: string;
  readonly inFlight: number;
  readonly quiet: boolean;
  readonly cpuMs: Readonly<Record<string, number>>;
}
export function cpuRatio(
  results: { readonly runs: readonly Run[]; readonly options: { readonly runs: number } },
  server: string,
  other: string,
  phase: string,
  inFlight: number,
): { median: number; low: number; high: number };
