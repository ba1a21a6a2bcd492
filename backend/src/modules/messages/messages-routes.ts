/** `/messages/{id}`: how a message goes. */
import { Router, type RequestHandler } from 'express';
import type { components } from '../../platform/contract/generated/api.js';
import { applicationOf } from '../applications/authentication.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import type { MessagesService } from './messages-service.js';

export function messagesRoutes({
  authentication,
  messages,
}: {
  authentication: RequestHandler;
  messages: MessagesService;
}): Router {
  const router = Router();
  router.all('/messages/:id', allowOnly('GET'), authentication, async (request, response) => {
    const data = await messages.view(applicationOf(response).id, String(request.params.id));
    const body: components['schemas']['MessageReply'] = { success: true, message: 'message found', data };
    reply(response, body);
  });
  return router;
}
