/** `GET /messages` lists messages; `/messages/{id}` returns a message and its delivery state, or cancels it. */
import { Router, type RequestHandler } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import { warnAboutUnknown } from '../../platform/http/unknown-parameters.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import type { MessageLookup } from './message-lookup.js';
import type { MessagesService } from './messages-service.js';
import { messageView } from './message-view.js';
import { parseRecipient } from '../recipients/recipient.js';

const listParameters = createValidator<Schemas['ListMessagesRequest'] & { readonly limit: number }>(
  'ListMessagesRequest',
);

export function messagesRoutes(
  authentication: RequestHandler,
  messages: Pick<MessagesService, 'cancel'>,
  lookup: Pick<MessageLookup, 'view' | 'page' | 'find'>,
  currency: () => string,
): Router {
  const router = Router();

  async function list(
    applicationId: number,
    parameters: ReturnType<typeof listParameters>,
  ): Promise<Schemas['MessagesReply']['data']> {
    const { to, authWay, state, reference, limit, after } = parameters;
    const recipient = to === undefined ? undefined : parseRecipient(to)?.address;
    if (to !== undefined && recipient === undefined) throw new ApiError('INVALID_RECIPIENT', { field: 'to' });
    const applicationIds = [applicationId];
    const last = after === undefined ? undefined : await lookup.find(applicationIds, after);
    if (after !== undefined && !last) throw new ApiError('MESSAGE_NOT_FOUND');
    const channel = authWay === undefined ? undefined : channelOf(authWay);
    const page = await lookup.page({ applicationIds, recipient, channel, state, reference }, last, limit);
    return {
      messages: page.messages.map((message) => messageView(message, currency())),
      ...(page.next && { next: page.next.id }),
    };
  }

  const names = warnAboutUnknown('ListMessagesRequest');
  router.all('/messages', allowOnly('GET'), authentication, names, async (request, response) => {
    const data = await list(applicationOf(response).id, listParameters(parametersOf(request)));
    const body: Schemas['MessagesReply'] = { success: true, message: 'messages', data };
    reply(response, body);
  });

  router.all('/messages/:id', allowOnly('GET', 'DELETE'), authentication, async (request, response) => {
    const application = applicationOf(response);
    const id = String(request.params.id);
    if (request.method === 'DELETE') {
      await messages.cancel(application, id);
      const data = await lookup.view(application.id, id);
      const body: Schemas['CanceledReply'] = { success: true, message: 'message canceled', data };
      return reply(response, body);
    }
    const data = await lookup.view(application.id, id);
    const body: Schemas['MessageReply'] = { success: true, message: 'message found', data };
    reply(response, body);
  });
  return router;
}
