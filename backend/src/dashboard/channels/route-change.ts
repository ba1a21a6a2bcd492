/** Applies the channels page's forms to a route. */
import type { Route, RouteEntry } from '../../modules/providers/route.js';

export const weightField = (provider: string): string => `weight-${provider}`;
export const priceField = (provider: string): string => `price-${provider}`;

export type RouteOrder = Pick<Route, 'mode' | 'entries'>;

/** The part of a route from which forms detect edit conflicts. */
export const versioned = ({ mode, entries }: RouteOrder): RouteOrder => ({ mode, entries });

/** An invalid weight becomes `NaN`, which `routeProblem` rejects. */
function parseWeight({ provider }: RouteEntry, text: string): RouteEntry {
  if (text === '') return { provider };
  return { provider, weight: /^\d+$/.test(text) ? Number(text) : NaN };
}

/** An invalid price becomes `NaN`, which `routeProblem` rejects. */
function parsePrice({ provider }: RouteEntry, text: string): RouteEntry {
  if (text === '') return { provider };
  return { provider, price: /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN };
}

const withoutNumbers = ({ provider }: RouteEntry): RouteEntry => ({ provider });

/** Returns the form fields of the change `restore`, which sets this order again. */
export const restoringFields = ({ mode, entries }: RouteOrder): Readonly<Record<string, string>> => ({
  change: 'restore',
  mode,
  providers: entries.map(({ provider }) => provider).join(' '),
  ...Object.fromEntries(
    entries.flatMap(({ provider, weight, price }) => [
      ...(weight === undefined ? [] : [[weightField(provider), `${weight}`]]),
      ...(price === undefined ? [] : [[priceField(provider), `${price}`]]),
    ]),
  ),
});

/**
 * Returns the route after a change such as `up:PRV-1`, `down:PRV-1`, `remove:PRV-1`, `add`, `weights`, `prices`,
 * `automatic`, `ordered`, `reset` or `restore`; undefined for an unknown change. `textOf` returns the value of a form
 * field.
 */
export function changedRoute(
  { mode, entries }: RouteOrder,
  change: string,
  textOf: (name: string) => string,
): RouteOrder | undefined {
  if (change === 'reset') return { mode, entries: [] };
  if (change === 'add') return { mode, entries: [...entries, { provider: textOf('provider') }] };
  if (change === 'automatic' || change === 'ordered') return { mode: change, entries: entries.map(withoutNumbers) };
  const weighted = (entry: RouteEntry) => parseWeight(entry, textOf(weightField(entry.provider)).trim());
  const priced = (entry: RouteEntry) => parsePrice(entry, textOf(priceField(entry.provider)).trim());
  if (change === 'weights') return { mode, entries: entries.map(weighted) };
  if (change === 'prices') return { mode, entries: entries.map(priced) };
  if (change === 'restore') {
    const listed = textOf('providers').split(' ').filter(Boolean);
    const restored = listed.map((provider) => ({ provider }));
    return textOf('mode') === 'automatic'
      ? { mode: 'automatic', entries: restored.map(priced) }
      : { mode: 'ordered', entries: restored.map(weighted) };
  }
  const [, kind, id] = /^(up|down|remove):(.+)$/.exec(change) ?? [];
  const index = entries.findIndex(({ provider }) => provider === id);
  const entry = entries[index];
  if (!entry) return undefined;
  const others = entries.filter((other) => other !== entry);
  if (kind === 'remove') return { mode, entries: others };
  const position = Math.max(0, index + (kind === 'up' ? -1 : 1));
  return { mode, entries: [...others.slice(0, position), entry, ...others.slice(position)] };
}
