import type { ChannelName } from '../../platform/contract/channels.js';
import type { ShopKind } from './automation.js';
import { json } from './json.js';
import type { EventType, ShopType } from './shop-type.js';
import { shopify } from './shopify.js';
import { woocommerce } from './woocommerce.js';

export const SHOP_TYPES: Readonly<Record<ShopKind, ShopType>> = { woocommerce, shopify, json };

/** Returns the label and the template of an event. Other systems can use any event name. */
export const eventTypeOf = (kind: ShopKind, name: string): EventType =>
  SHOP_TYPES[kind].events?.[name] ?? { label: name, template: 'order_update' };

/**
 * Returns the recipient that fits the channel: emails need an email address, other messages a phone number. A recipient
 * that a person changed is kept.
 */
export function recipientFor(kind: ShopKind, channel: ChannelName | null, to: string): string {
  const { email, fields } = SHOP_TYPES[kind];
  const phone = fields.to!;
  if (channel === 'EMAIL') return to === phone ? email : to;
  return channel !== null && to === email ? phone : to;
}

export const isEventOf = (kind: ShopKind, name: string): boolean => {
  const { events } = SHOP_TYPES[kind];
  return events ? Object.hasOwn(events, name) : /^[\w.:/-]{1,64}$/.test(name);
};
