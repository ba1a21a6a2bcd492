/**
 * Routes for the Twilio account that environment variables configure. `/callbacks/twilio/{id}` receives status
 * callbacks; `/callbacks/twilio/{id}/speech` returns the TwiML that reads out the message after the recipient presses a
 * key.
 */
import express, { Router, type Request, type Response } from 'express';
import { BODY_LIMIT } from '../../platform/http/envelope.js';
import type { Log } from '../../platform/log.js';
import { ENVIRONMENT_TWILIO } from '../../providers/environment.js';
import type { TwilioCallbacks } from '../../providers/twilio-callbacks.js';
import type { MessagesService } from './messages-service.js';

const formOf = ({ body }: Request): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(typeof body === 'string' ? body : ''));

export function callbacksRoutes(twilio: TwilioCallbacks, messages: MessagesService, log: Log): Router {
  const router = Router();
  // Reads the body as text, because the signature covers every form field.
  const body = express.text({ type: () => true, limit: BODY_LIMIT });

  function reject(messageId: string, response: Response): void {
    log.warn({ messageId }, 'callback has no valid signature; check that BASE_URL is the URL that Twilio calls');
    response.status(403).end();
  }

  router.post('/callbacks/twilio/:id', body, async (request, response) => {
    const id = String(request.params.id);
    const form = formOf(request);
    if (!twilio.isSignedReport(id, form, request.get('X-Twilio-Signature'))) return reject(id, response);
    const report = twilio.parseReport(form);
    if (report) await messages.report({ id, type: 'reported', provider: ENVIRONMENT_TWILIO, ...report });
    response.status(204).end();
  });

  router.post('/callbacks/twilio/:id/speech', body, async (request, response) => {
    const id = String(request.params.id);
    const sealed = String(request.query.content);
    const twiml = await twilio.speech(id, sealed, formOf(request), request.get('X-Twilio-Signature'));
    if (twiml === undefined) return reject(id, response);
    response.set('Cache-Control', 'no-store').type('text/xml').send(twiml);
  });
  return router;
}
