/** Keys of the management API. A key has a right in each of its areas, and no other rights. */
import type { Actor } from '../access/actor.js';
import { includesRight, RIGHTS, type Right } from '../access/rights.js';

/** The parts of an account that keys can have rights in. Keys, people and the account itself have no area. */
export const AREAS = [
  'applications',
  'secrets',
  'webhooks',
  'templates',
  'fraud',
  'users',
  'messages',
  'recipients',
  'providers',
  'audit',
] as const;
export type Area = (typeof AREAS)[number];

export type Scopes = Readonly<Partial<Record<Area, Right>>>;

export interface ManagementKey {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** The start of the key, to recognize it. */
  readonly hint: string;
  readonly scopes: Scopes;
  /** Email address of the person who created the key, or `operator`. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
}

/** Longest validity, so that a forgotten key stops working. */
export const MAX_KEY_DAYS = 365;

/** Format of keys: `mk_` and 256 random bits as base64url. */
export const KEY_FORMAT = /^mk_[\w-]{43}$/;

export const hasScope = ({ scopes }: ManagementKey, area: Area, right: Right): boolean => {
  const own = scopes[area];
  return own !== undefined && includesRight(own, right);
};

/** Returns a key as an actor that has only its rights in this area. */
export const keyActor = (key: ManagementKey, area: Area): Actor => ({
  name: `API key ${key.name} (${key.hint}…)`,
  may: (right) => hasScope(key, area, right),
});

/** Parses scopes such as `webhooks:own`. Returns undefined if an area or a right does not exist. */
export function parseScopes(texts: readonly string[]): Scopes | undefined {
  const entries = texts.map((text) => text.split(':'));
  const isValid = ([area, right, ...rest]: string[]) =>
    AREAS.some((known) => known === area) && RIGHTS.some((known) => known === right) && rest.length === 0;
  return entries.length > 0 && entries.every(isValid) ? (Object.fromEntries(entries) as Scopes) : undefined;
}

export const scopeTexts = (scopes: Scopes): string[] =>
  Object.entries(scopes).map(([area, right]) => `${area}:${right}`);
