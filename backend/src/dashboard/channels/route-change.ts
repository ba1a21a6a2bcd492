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

/** Returns the value of a form field. */
type TextOf = (name: string) => string;

export interface RouteChange {
  /** `up`, `down`, `remove`, `add`, `weights`, `prices`, `automatic`, `ordered`, `reset` or `restore`. */
  readonly kind: string;
  /** The provider that is moved, removed or added. */
  readonly provider: string;
}

/** Reads a change such as `up:PRV-1` or `weights`. For `add`, the provider is a field of its own. */
export function readChange(textOf: TextOf): RouteChange {
  const [kind = '', provider = textOf('provider')] = textOf('change').split(':');
  return { kind, provider };
}

/** Returns the route after a change; undefined for an unknown change. */
export function changedRoute(
  { mode, entries }: RouteOrder,
  { kind, provider }: RouteChange,
  textOf: TextOf,
): RouteOrder | undefined {
  if (kind === 'reset') return { mode, entries: [] };
  if (kind === 'add') return { mode, entries: [...entries, { provider }] };
  if (kind === 'automatic' || kind === 'ordered') return { mode: kind, entries: entries.map(withoutNumbers) };
  const weighted = (entry: RouteEntry) => parseWeight(entry, textOf(weightField(entry.provider)).trim());
  const priced = (entry: RouteEntry) => parsePrice(entry, textOf(priceField(entry.provider)).trim());
  if (kind === 'weights') return { mode, entries: entries.map(weighted) };
  if (kind === 'prices') return { mode, entries: entries.map(priced) };
  if (kind === 'restore') {
    const listed = textOf('providers').split(' ').filter(Boolean);
    const restored = listed.map((provider) => ({ provider }));
    return textOf('mode') === 'automatic'
      ? { mode: 'automatic', entries: restored.map(priced) }
      : { mode: 'ordered', entries: restored.map(weighted) };
  }
  const index = entries.findIndex((candidate) => candidate.provider === provider);
  const entry = entries[index];
  if (!entry || !['up', 'down', 'remove'].includes(kind)) return undefined;
  const others = entries.filter((other) => other !== entry);
  if (kind === 'remove') return { mode, entries: others };
  const position = Math.max(0, index + (kind === 'up' ? -1 : 1));
  return { mode, entries: [...others.slice(0, position), entry, ...others.slice(position)] };
}
