/** Changes of a route that the buttons of the channels page make. */
import type { RouteEntry } from '../../modules/providers/route.js';

/**
 * Returns the entries after a change such as `up:PRV-1`, `down:PRV-1`, `remove:PRV-1` or `add`; undefined if there is no
 * such change.
 */
export function changedEntries(
  entries: readonly RouteEntry[],
  change: string,
  added: string,
): readonly RouteEntry[] | undefined {
  if (change === 'add') return [...entries, { provider: added }];
  const [, kind, id] = /^(up|down|remove):(.+)$/.exec(change) ?? [];
  const index = entries.findIndex(({ provider }) => provider === id);
  const entry = entries[index];
  if (!entry) return undefined;
  const others = entries.filter((other) => other !== entry);
  if (kind === 'remove') return others;
  const position = Math.max(0, index + (kind === 'up' ? -1 : 1));
  return [...others.slice(0, position), entry, ...others.slice(position)];
}
