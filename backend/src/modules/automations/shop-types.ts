import type { ShopKind } from './automation.js';
import { json } from './json.js';
import type { EventType, ShopType } from './shop-type.js';
import { shopify } from './shopify.js';
import { woocommerce } from './woocommerce.js';

export const SHOP_TYPES: Readonly<Record<ShopKind, ShopType>> = { woocommerce, shopify, json };

/** Returns the label and the template of an event. Other systems can use any event name. */
export const eventTypeOf = (kind: ShopKind, name: string): EventType =>
  SHOP_TYPES[kind].events?.[name] ?? { label: name, template: 'order_update' };

export const isEventOf = (kind: ShopKind, name: string): boolean => {
  const { events } = SHOP_TYPES[kind];
  return events ? Object.hasOwn(events, name) : /^[\w.:/-]{1,64}$/.test(name);
};
