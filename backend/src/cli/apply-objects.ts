/** The objects in the file of `passbell apply`, and how the management API reads and writes each kind. */
import { parsePrice } from '../platform/config/prices-file.js';
import { isObject } from '../platform/json.js';
import type { Path, Values } from './apply-file.js';

/** The value of a stored secret, which the server never returns. */
export const STORED = Symbol('stored secret');

export interface ConfiguredObject {
  /** Where the file describes the object, such as `applications`, `shop-de`, `webhooks`, `erp`. */
  readonly at: Path;
  readonly fields: Values;
  /** Path of the request that returns the object. */
  readonly source: string;
  /** Finds the object in a reply, in the form that the file has; undefined if it does not exist. */
  readonly view: (data: Values) => Values | undefined;
  readonly method: 'PUT' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body: object;
  /** Paths of mappings that the file replaces. Otherwise, names that the file does not contain stay as they are. */
  readonly replaced?: readonly string[];
}

const entries = (mapping: unknown): [string, Values][] =>
  isObject(mapping) ? (Object.entries(mapping) as [string, Values][]) : [];
const list = (values: unknown): Values[] => (Array.isArray(values) ? (values as Values[]) : []);
const pathOf = (at: Path): string =>
  `/${at.map((step) => step.split('/').map(encodeURIComponent).join('/')).join('/')}`;

function object(
  at: Path,
  fields: Values,
  view: ConfiguredObject['view'] = (data) => data,
  other: Partial<ConfiguredObject> = {},
): ConfiguredObject {
  const path = pathOf(at);
  return { at, fields, view, source: path, method: 'PUT', path, body: fields, ...other };
}

/** The IDs of providers in the file, by the server's IDs, which routes contain in replies. */
export type ChosenIds = Map<unknown, string>;

const provider =
  (chosenIds: ChosenIds) =>
  ([id, body]: [string, Values]): ConfiguredObject => {
    const settings = Object.fromEntries(entries(body.settings).map(([name, value]) => [name, String(value)]));
    return object(['providers', id], { ...body, settings }, (data) => {
      chosenIds.set(data.id, id);
      const secrets = list(data.secrets).map((name) => [name, STORED]);
      return { ...data, settings: { ...(data.settings as Values), ...Object.fromEntries(secrets) } };
    });
  };

const route =
  (chosenIds: ChosenIds) =>
  ([key, body]: [string, Values]): ConfiguredObject => {
    const isOwn = ({ channel, country }: Values) => `${String(channel)}/${String(country)}` === key;
    const view = (data: Values) => {
      const found = 'routes' in data ? list(data.routes).find(isOwn) : data;
      const chosen = ({ provider: id, ...entry }: Values) => ({ ...entry, provider: chosenIds.get(id) ?? id });
      return found && { ...found, providers: list(found.providers).map(chosen) };
    };
    return object(['routes', key], { mode: 'ordered', ...body }, view, { source: '/routes' });
  };

function prices([channel, body]: [string, Values]): ConfiguredObject {
  const texts = entries(body).map(([country, price]) => [country, parsePrice(price) ?? String(price)]);
  const view = (data: Values) =>
    'channels' in data ? list(data.channels).find((each) => each.channel === channel) : data;
  const fields = { prices: Object.fromEntries(texts) as Values };
  return object(['prices', channel], fields, view, { source: '/prices', replaced: ['prices'] });
}

function fraudSettings(at: Path, settings: Values): ConfiguredObject {
  const view = ({ settings: stored, version }: Values) => {
    const isDefault = ({ name, value, default: usual }: Values) => settings[String(name)] === null && value === usual;
    const values = list(stored).map((each) => [each.name, isDefault(each) ? null : each.value]);
    return { ...(Object.fromEntries(values) as Values), version };
  };
  return object([...at, 'settings'], settings, view, { method: 'PATCH', body: { settings } });
}

function allowedPrefix(at: Path, key: string): ConfiguredObject {
  const isAllowed = (each: Values) => each.key === key && each.state === 'allowed' && !('untilAt' in each);
  const view = ({ scopes }: Values) => (list(scopes).some(isAllowed) ? {} : undefined);
  const path = pathOf([...at, 'scopes']);
  const body = { scope: 'prefix', key, action: 'allowForEver' };
  return object([...at, 'allowedPrefixes', key], {}, view, { source: path, method: 'POST', path, body });
}

function application([id, body]: [string, Values]): ConfiguredObject[] {
  const { webhooks, templates, fraud, ...settings } = body;
  const { settings: thresholds, allowedPrefixes } = (fraud ?? {}) as Values;
  const at = ['applications', id];
  const view = (data: Values) => (data.challengeSiteKey ? { ...data, challengeSecret: STORED } : data);
  const custom = (data: Values) => (data.custom ? data : undefined);
  return [
    object(at, settings, view, { replaced: ['testRecipients', 'design.texts'] }),
    ...entries(webhooks).map(([key, fields]) => object([...at, 'webhooks', key], fields)),
    ...entries(templates).map(([key, fields]) =>
      object([...at, 'templates', key], { subject: null, ...fields }, custom),
    ),
    ...(isObject(thresholds) ? [fraudSettings([...at, 'fraud'], thresholds)] : []),
    ...list(allowedPrefixes).map((prefix) => allowedPrefix([...at, 'fraud'], String(prefix))),
  ];
}

/** Returns the objects of a file in the order in which they are written. */
export const objectsOf = (values: Values, chosenIds: ChosenIds): ConfiguredObject[] => [
  ...entries(values.providers).map(provider(chosenIds)),
  ...entries(values.routes).map(route(chosenIds)),
  ...entries(values.prices).map(prices),
  ...entries(values.applications).flatMap(application),
];

/** Returns the chosen IDs of the providers in the routes of a file. */
export const routedProviders = ({ routes }: Values): string[] =>
  entries(routes).flatMap(([, { providers }]) => list(providers).map((each) => String(each.provider)));
