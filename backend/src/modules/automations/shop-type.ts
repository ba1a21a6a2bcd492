/** A kind of shop: how its requests are signed, and the events that they contain. */
import type { SignedRequest } from '../../platform/standard-webhooks.js';
import type { TemplateName } from '../templates/template.js';
import type { Delivery } from './automation.js';

export interface ShopRequest extends SignedRequest {
  readonly body: Buffer;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface EventType {
  readonly label: string;
  readonly template: TemplateName;
}

export interface ShopType {
  readonly label: string;
  /** The events by name; undefined if every name is possible. */
  readonly events: Readonly<Record<string, EventType>> | undefined;
  /** Whether the shop creates the secret. Otherwise, Passbell creates it. */
  readonly createsSecret: boolean;
  /** The recipient of emails, as a Liquid text. */
  readonly email: string;
  /** Liquid texts for the fields of a new automation. */
  readonly fields: Readonly<Record<string, string>>;
  isSigned(request: ShopRequest, secret: string, now: number): boolean;
  /** Whether the request only checks the address. It is not signed. */
  isPing(request: ShopRequest): boolean;
  /** Returns an id that is the same in repeated deliveries; "" if the request has none. */
  deliveryIdOf(request: ShopRequest): string;
  /** Returns the URL of the shop. Its header is not signed, so it only labels the shop. */
  siteOf(request: ShopRequest): string;
  deliveryOf(request: ShopRequest, body: JsonObject): Delivery;
}

/** Returns a string or a number as text; "" for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => typeof item === 'object' && item !== null) : [];

/** Parses an ISO 8601 time. Times without a zone are in UTC. Returns undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the highest id, which belongs to the newest item. */
export const newestId = (items: readonly JsonObject[]): string =>
  String(items.reduce((newest, { id }) => Math.max(newest, Number(id) || 0), 0));
