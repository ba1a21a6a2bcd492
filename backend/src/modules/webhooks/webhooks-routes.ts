/** `/webhooks`: subscribe, list, end; and the events of late. */
import { Router, type RequestHandler } from 'express';
import type { components } from '../../platform/contract/generated/api.js';
import { applicationOf } from '../applications/authentication.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import type { RecentEvents } from './recent-events.js';
import type { WebhooksService } from './webhooks-service.js';

type Schemas = components['schemas'];

const webhookParameters = createValidator<Schemas['WebhookRequest']>('WebhookRequest');
const recentParameters = createValidator<Schemas['RecentEventsRequest']>('RecentEventsRequest');

export interface WebhooksRoutesParts {
  readonly authentication: RequestHandler;
  readonly webhooks: WebhooksService;
  readonly recentEvents: RecentEvents;
}

export function webhooksRoutes({ authentication, webhooks, recentEvents }: WebhooksRoutesParts): Router {
  const router = Router();

  router.all('/webhooks', allowOnly('GET', 'POST'), authentication, jsonBody, async (request, response) => {
    const { id } = applicationOf(response);
    if (request.method === 'GET') {
      const body: Schemas['WebhooksReply'] = {
        success: true,
        message: 'webhooks',
        data: { webhooks: await webhooks.list(id) },
      };
      return reply(response, body);
    }
    const data = await webhooks.create(id, webhookParameters(parametersOf(request)));
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
    await webhooks.remove(applicationOf(response).id, String(request.params.id));
    reply(response, { success: true, message: 'webhook removed' });
  });
  return router;
}
