/** Applies the channels page's forms to a route. */
import type { RouteEntry } from '../../modules/providers/route.js';

export const weightField = (provider: string): string => `weight-${provider}`;

/** An invalid weight becomes `NaN`, which `routeProblem` rejects. */
function parseWeight({ provider }: RouteEntry, text: string): RouteEntry {
  if (text === '') return { provider };
  return { provider, weight: /^\d+$/.test(text) ? Number(text) : NaN };
}

/**
 * Returns the entries after a change such as `up:PRV-1`, `down:PRV-1`, `remove:PRV-1`, `add`, `weights` or `reset`;
 * undefined for an unknown change. `textOf` returns the value of a form field.
 */
export function changedEntries(
  entries: readonly RouteEntry[],
  change: string,
  textOf: (name: string) => string,
): readonly RouteEntry[] | undefined {
  if (change === 'reset') return [];
  if (change === 'add') return [...entries, { provider: textOf('provider') }];
  if (change === 'weights')
    return entries.map((entry) => parseWeight(entry, textOf(weightField(entry.provider)).trim()));
  const [, kind, id] = /^(up|down|remove):(.+)$/.exec(change) ?? [];
  const index = entries.findIndex(({ provider }) => provider === id);
  const entry = entries[index];
  if (!entry) return undefined;
  const others = entries.filter((other) => other !== entry);
  if (kind === 'remove') return others;
  const position = Math.max(0, index + (kind === 'up' ? -1 : 1));
  return [...others.slice(0, position), entry, ...others.slice(position)];
}
