/** The routes under `/webhooks`, which create, list and remove webhooks, and list recent events. */
import { Router, type RequestHandler } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import { apiCall } from '../../platform/http/unknown-parameters.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import type { EventBody, EventName } from './event.js';
import type { WebhooksService } from './index.js';

const webhookParameters = createValidator<Schemas['WebhookRequest']>('WebhookRequest');
const recentParameters = createValidator<Schemas['RecentEventsRequest']>('RecentEventsRequest');

export function webhooksRoutes(
  authentication: RequestHandler,
  webhooks: Pick<WebhooksService, 'list' | 'subscribe' | 'unsubscribe'>,
  /** Returns the latest events with this name, newest first. */
  recentEvents: (applicationId: number, event: EventName) => Promise<EventBody[]>,
): Router {
  const router = Router();

  const call = apiCall(authentication, 'WebhookRequest', 'GET', 'POST');
  router.all('/webhooks', ...call, async (request, response) => {
    const application = applicationOf(response);
    if (request.method === 'GET') {
      const data = { webhooks: await webhooks.list(application.id) };
      const body: Schemas['WebhooksReply'] = { success: true, message: 'webhooks', data };
      return reply(response, body);
    }
    const data = await webhooks.subscribe(application, webhookParameters(parametersOf(request)));
    const body: Schemas['WebhookReply'] = { success: true, message: 'webhook created', data };
    reply(response, body);
  });

  router.all('/webhooks/recent', allowOnly('GET'), authentication, async (request, response) => {
    const { event } = recentParameters(parametersOf(request));
    const events = await recentEvents(applicationOf(response).id, event);
    const body: Schemas['RecentEventsReply'] = { success: true, message: 'recent events', data: { events } };
    reply(response, body);
  });

  router.all('/webhooks/:id', allowOnly('DELETE'), authentication, async (request, response) => {
    await webhooks.unsubscribe(applicationOf(response), String(request.params.id));
    reply(response, { success: true, message: 'webhook deleted' });
  });
  return router;
}
