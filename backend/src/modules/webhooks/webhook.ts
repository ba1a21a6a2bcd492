import type { EventName } from './event.js';

export interface Webhook {
  readonly id: number;
  readonly webhookId: string;
  readonly applicationId: number;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly secretSealed: string;
  /** Number of failed calls since the last successful call. */
  readonly failures: number;
  readonly createdAt: number;
}

export type DueWebhook = Pick<Webhook, 'id' | 'applicationId'> & { readonly accountId: number };

/** A pending delivery of an event to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  /** The event as JSON, the same at every attempt. */
  readonly body: string;
  readonly attempts: number;
  readonly createdAt: number;
}

/** Binds a sealed secret to its webhook. */
export const secretContext = ({ webhookId }: Pick<Webhook, 'webhookId'>): string => `webhook:${webhookId}`;
