/** `/callbacks/twilio/{id}`: what Twilio tells of a message or call after it has accepted it. */
import express, { Router } from 'express';
import type { TwilioCallbacks } from '../../providers/twilio-callbacks.js';
import { BODY_LIMIT } from '../../platform/limits.js';
import type { Log } from '../../platform/log.js';
import type { MessagesService } from './messages-service.js';

export function callbacksRoutes({
  twilio,
  messages,
  log,
}: {
  twilio: TwilioCallbacks;
  messages: Pick<MessagesService, 'report'>;
  log: Log;
}): Router {
  const router = Router();
  // The text as it came: the signature is over every field, whatever it is called.
  const body = express.text({ type: () => true, limit: BODY_LIMIT });
  router.post('/callbacks/twilio/:id', body, async (request, response) => {
    const id = String(request.params.id);
    const form = Object.fromEntries(new URLSearchParams(typeof request.body === 'string' ? request.body : ''));
    if (!twilio.isSigned(id, form, request.get('X-Twilio-Signature'))) {
      log.warn({ messageId: id }, 'a call-back has no valid signature; is BASE_URL the address that Twilio calls?');
      return void response.status(403).end();
    }
    const told = twilio.reportIn(form);
    if (told) await messages.report({ id, ...told });
    response.status(204).end();
  });
  return router;
}
