import { HOUR, isoTime, SECOND } from '../../platform/clock.js';
import { EditConflictError } from '../access/actor.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { EventName } from '../webhooks/event.js';
import type { WebhooksService } from '../webhooks/index.js';
import { isPaused, webhookIdFor, type Attempt } from '../webhooks/webhook.js';
import { found, type Actions, type ApplicationCall } from './action.js';

const callView = ({ id: callId, calledAt, eventId, attempt, status, reply }: Attempt) => ({
  callId,
  eventId,
  attempt,
  status,
  reply,
  calledAt: isoTime(calledAt),
});

export function createWebhookActions(webhooks: WebhooksService) {
  const view = async ({ application }: ApplicationCall, id: string) =>
    found(
      (await webhooks.list(application.id)).find(({ webhookId }) => webhookId === id),
      `webhook ${id}`,
    );

  async function setEvents(call: ApplicationCall, id: string, events: readonly EventName[]) {
    found(await webhooks.setEvents(call.actor, call.application, id, events), `webhook ${id}`);
    return view(call, id);
  }

  return {
    listWebhooks: async ({ application }) => ({ webhooks: await webhooks.list(application.id) }),

    createWebhook: ({ actor, application }, { url, events }) => webhooks.create(actor, application, { url, events }),

    async getWebhook(call, { webhook: reference }) {
      const { actor, application } = call;
      const id = webhookIdFor(application, reference);
      const webhook = found(await webhooks.find(application, id), `webhook ${reference}`);
      const { attempts, pending } = await webhooks.log(actor, webhook);
      const shown = await view(call, id);
      return { ...shown, paused: isPaused(webhook), pending, calls: attempts.map(callView) };
    },

    async putWebhook(call, { webhook: reference, url, events }) {
      const { actor, application } = call;
      const id = webhookIdFor(application, reference);
      try {
        if (!(await webhooks.find(application, id)))
          return await webhooks.create(actor, application, { url, events }, id);
      } catch (error) {
        // A concurrent request has created it.
        if (!(error instanceof EditConflictError)) throw error;
      }
      const stored = await view(call, id);
      if (stored.url !== url)
        throw new SettingError('url', 'The URL of a webhook cannot be changed. Create another webhook.');
      const isChanged = JSON.stringify(stored.events) !== JSON.stringify(events);
      const { webhookId, events: names } = isChanged ? await setEvents(call, id, events) : stored;
      return { webhookId, url, events: names };
    },

    async updateWebhook(call, { webhook: reference, events, paused }) {
      const { actor, application } = call;
      const id = webhookIdFor(application, reference);
      if (events) await setEvents(call, id, events);
      if (paused !== undefined) found(await webhooks.setPaused(actor, application, id, paused), `webhook ${reference}`);
      return view(call, id);
    },

    async deleteWebhook({ actor, application }, { webhook: reference }) {
      const webhookId = webhookIdFor(application, reference);
      found(await webhooks.remove(actor, application, webhookId), `webhook ${reference}`);
      return { webhookId };
    },

    async rotateWebhookSecret({ actor, application }, { webhook: reference, graceHours = 24 }) {
      const webhookId = webhookIdFor(application, reference);
      const graceSeconds = (graceHours * HOUR) / SECOND;
      const rotated = await webhooks.rotateSecret(actor, application, webhookId, graceSeconds);
      const { secret, oldSecretValidUntil } = found(rotated, `webhook ${reference}`);
      return { webhookId, secret, oldSecretValidUntil: isoTime(oldSecretValidUntil) };
    },

    async testWebhook({ actor, application }, { webhook: reference, event }) {
      const id = webhookIdFor(application, reference);
      return { eventId: found(await webhooks.sendTest(actor, application, id, event), `webhook ${reference}`) };
    },

    async resendEvent({ actor, application }, { webhook: reference, callId }) {
      const id = webhookIdFor(application, reference);
      const eventId = await webhooks.resend(actor, application, id, callId);
      return { eventId: found(eventId, `call ${callId} in the log of the webhook ${reference}`) };
    },
  } satisfies Partial<Actions>;
}
