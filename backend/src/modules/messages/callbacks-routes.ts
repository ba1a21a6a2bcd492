/** `/callbacks/twilio/{id}`: Twilio's status callbacks. */
import express, { Router } from 'express';
import { BODY_LIMIT } from '../../platform/http/envelope.js';
import type { Log } from '../../platform/log.js';
import type { TwilioCallbacks } from '../../providers/twilio-callbacks.js';
import type { MessagesService } from './messages-service.js';

export function callbacksRoutes(twilio: TwilioCallbacks, messages: MessagesService, log: Log): Router {
  const router = Router();
  // The raw text, because the signature covers every field.
  const body = express.text({ type: () => true, limit: BODY_LIMIT });
  router.post('/callbacks/twilio/:id', body, async (request, response) => {
    const id = String(request.params.id);
    const form = Object.fromEntries(new URLSearchParams(typeof request.body === 'string' ? request.body : ''));
    if (!twilio.isSigned(id, form, request.get('X-Twilio-Signature'))) {
      log.warn(
        { messageId: id },
        'callback has no valid signature; check that BASE_URL is the address that Twilio calls',
      );
      return void response.status(403).end();
    }
    const report = twilio.parseReport(form);
    if (report) await messages.report({ id, type: 'reported', ...report });
    response.status(204).end();
  });
  return router;
}
