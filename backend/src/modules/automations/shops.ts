import type { HookKind } from './automation.js';
import { jsonHook } from './json-hook.js';
import type { EventType, Shop } from './shop.js';
import { shopify } from './shopify.js';
import { woocommerce } from './woocommerce.js';

export const SHOPS: Readonly<Record<HookKind, Shop>> = { woocommerce, shopify, json: jsonHook };

/** Returns the label and the template of an event. Other systems can use any event name. */
export const eventTypeOf = (kind: HookKind, name: string): EventType =>
  SHOPS[kind].events?.[name] ?? { label: name, template: 'order_update' };

export const isEventOf = (kind: HookKind, name: string): boolean => {
  const { events } = SHOPS[kind];
  return events ? Object.hasOwn(events, name) : /^[\w.:/-]{1,64}$/.test(name);
};
