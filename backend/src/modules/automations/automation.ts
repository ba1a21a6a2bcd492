/** Connected shops send their events; automations choose which event sends which message. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { TemplateName } from '../templates/template.js';

export const SHOP_KINDS = ['woocommerce', 'shopify', 'json'] as const;
export type ShopKind = (typeof SHOP_KINDS)[number];

export const isShopKind = (kind: string): kind is ShopKind => (SHOP_KINDS as readonly string[]).includes(kind);

export interface ShopConnection {
  readonly id: number;
  /** The random part of the address to which the shop sends its events. */
  readonly publicId: string;
  readonly applicationId: number;
  readonly kind: ShopKind;
  /** The shop's site, such as `shop.example`; "" until an event names it, and for other systems. */
  readonly site: string;
  /** Null until a person enters the secret that the shop has created. */
  readonly secretSealed: string | null;
  /** Number of rejected requests, the reason of the last one, and its time. */
  readonly rejected: number;
  readonly rejectedBecause: string;
  readonly rejectedAt: number;
  readonly createdAt: number;
}

/** Encryption contexts that bind sealed values to their shop. */
export const secretContext = ({ publicId }: Pick<ShopConnection, 'publicId'>): string => `incoming-hook:${publicId}`;
export const bodyContext = ({ publicId }: Pick<ShopConnection, 'publicId'>): string => `incoming-event:${publicId}`;

/** Liquid texts by name: `to`, `country`, `language`, and the variables of the template. */
export type AutomationFields = Readonly<Record<string, string>>;

export interface Automation {
  readonly id: number;
  readonly shopId: number;
  readonly applicationId: number;
  readonly event: string;
  readonly template: TemplateName;
  /** Null: the application's channel order, or email for an email address. */
  readonly channel: ChannelName | null;
  readonly fields: AutomationFields;
  readonly enabled: boolean;
}

/** How long Passbell remembers that it has handled an event of an order. Older orders send nothing. */
export const HANDLED_DAYS = 180;

/** An event in a delivery. */
export interface ShopEvent {
  readonly name: string;
  /** Distinguishes events with the same name in one order, such as two refunds. */
  readonly part?: string;
  /** Undefined if the shop does not report the time. */
  readonly happenedAt?: number | undefined;
}

/** A request of a shop, without its body. */
export interface Delivery {
  readonly topic: string;
  /** Id of the order, or of the event itself. */
  readonly orderId: string;
  /** The order number, for the log. */
  readonly reference: string;
  /** When the order was placed; undefined if the shop does not report it. */
  readonly orderedAt?: number | undefined;
  /** When the shop last changed the order; undefined if the shop does not report it. */
  readonly changedAt?: number | undefined;
  readonly events: readonly ShopEvent[];
  /** The reason why the delivery sends nothing. */
  readonly ignoredBecause?: string;
}

export interface EventResult {
  /** Name of the event; "" for the whole delivery. */
  readonly event: string;
  readonly automationId: number | null;
  readonly outcome: 'sent' | 'skipped' | 'failed' | 'waiting';
  readonly text: string;
  readonly messageId?: string;
  /** When a scheduled message is sent, in milliseconds; missing if it was sent at once. */
  readonly sendAt?: number;
}

export const LOG_DAYS = 14;

/** A delivery that was stored. */
export interface ReceivedEvent {
  readonly id: number;
  readonly shopId: number;
  readonly applicationId: number;
  readonly delivery: Delivery;
  /** The body, sealed; null if it was deleted. */
  readonly bodySealed: string | null;
  readonly results: readonly EventResult[];
  /** Null when it is done. */
  readonly dueAt: number | null;
  readonly attempts: number;
  readonly receivedAt: number;
}
