/** Webhooks of an application: subscribed, listed, ended. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { APPLICATION_CACHE_MS, CLEANUP_BATCH, WEBHOOKS_PER_APPLICATION } from '../../platform/limits.js';
import { createRecall } from '../../platform/cache.js';
import type { EventName } from './event.js';
import type { Webhook, WebhooksStore } from './webhooks-store.js';

type Schemas = components['schemas'];

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export interface WebhooksDependencies {
  readonly store: WebhooksStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Whether an address may be called. */
  readonly mayCall: (url: URL) => Promise<boolean>;
}

/** A secret opens only for the webhook that it was sealed for. */
export const sealContext = ({ webhookId }: Pick<Webhook, 'webhookId'>): string => `webhook:${webhookId}`;

export function createWebhooksService({ store, keyring, clock, mayCall }: WebhooksDependencies) {
  const recall = createRecall({
    clock,
    ms: APPLICATION_CACHE_MS,
    read: (applicationId: number) => store.list(applicationId),
  });

  return {
    /** Subscribes an address; answers its signing secret, which is not shown again. Throws the refusal. */
    async create(applicationId: number, request: Schemas['WebhookRequest']): Promise<Schemas['WebhookReply']['data']> {
      // One reply for all reasons: who asks learns nothing of the names and addresses of this network.
      if (!(await mayCall(new URL(request.url)))) throw new ApiError('INVALID_WEBHOOK_URL');
      // Calls at one time may pass the bound by as many: it is there to bound what one event costs, not to be exact.
      if ((await store.list(applicationId)).length >= WEBHOOKS_PER_APPLICATION) throw new ApiError('TOO_MANY_WEBHOOKS');
      const webhook = {
        webhookId: `WHK-${random.hex(16)}`,
        url: request.url,
        events: [...new Set(request.events)],
      };
      const secret = `whsec_${random.base64url(32)}`;
      const secretSealed = keyring.seal(sealContext(webhook), secret);
      await store.insert({ ...webhook, applicationId, secretSealed, createdAt: clock.now() });
      recall.forget(applicationId);
      return { ...webhook, secret };
    },

    async list(applicationId: number): Promise<Schemas['Webhook'][]> {
      const webhooks = await store.list(applicationId);
      return webhooks.map(({ webhookId, url, events, createdAt, failures }) => ({
        webhookId,
        url,
        events: [...events],
        createdTime: Math.floor(createdAt / SECOND),
        failures,
      }));
    },

    /** Ends a webhook of this application; false when there was none. */
    async remove(applicationId: number, webhookId: string): Promise<boolean> {
      const removed = await store.remove(applicationId, webhookId);
      recall.forget(applicationId);
      return removed;
    },

    /** Ids of the webhooks that are told of an event; from memory, at most a second old. */
    async subscribers(applicationId: number, event: EventName): Promise<number[]> {
      const webhooks = await recall.get(applicationId);
      return webhooks.filter(({ events }) => events.includes(event)).map(({ id }) => id);
    },

    /** Seals with the newest key the secrets that an older one sealed; answers how many. */
    async reseal(): Promise<number> {
      let resealed = 0;
      for (let last = 0; ;) {
        const webhooks = await store.some(last, CLEANUP_BATCH);
        if (webhooks.length === 0) return resealed;
        for (const webhook of webhooks) {
          const sealed = keyring.reseal(sealContext(webhook), webhook.secretSealed);
          if (sealed === undefined) continue;
          await store.reseal(webhook.id, webhook.secretSealed, sealed);
          resealed++;
        }
        last = webhooks.at(-1)!.id;
      }
    },
  };
}
