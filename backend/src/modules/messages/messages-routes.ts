/** `GET /messages/{id}` returns a message and its delivery state. */
import { Router, type RequestHandler } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import { applicationOf } from '../applications/authentication.js';
import type { MessagesService } from './messages-service.js';

export function messagesRoutes(authentication: RequestHandler, messages: MessagesService): Router {
  const router = Router();
  router.all('/messages/:id', allowOnly('GET'), authentication, async (request, response) => {
    const data = await messages.view(applicationOf(response).id, String(request.params.id));
    const body: Schemas['MessageReply'] = { success: true, message: 'message found', data };
    reply(response, body);
  });
  return router;
}
