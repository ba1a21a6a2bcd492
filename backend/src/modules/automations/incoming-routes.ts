/** `/hooks/incoming/{publicId}` receives the events of shops. */
import express, { Router, type RequestHandler } from 'express';
import type { Base } from '../../platform/base.js';
import { failure } from '../../platform/contract/errors.js';
import { apiHeaders, reply, toApiError } from '../../platform/http/envelope.js';
import { statusOfError } from '../../platform/http/error-status.js';
import { countFailedAuthentication } from '../applications/authentication.js';
import type { Received } from './receive-service.js';
import type { ShopRequest } from './shop-type.js';

/** Maximum size of an event. Orders with many items have a few hundred kilobytes. */
const EVENT_LIMIT = '1mb';

const MESSAGES: Readonly<Record<Received, string>> = {
  stored: 'event received',
  repeated: 'this event was received before',
  checked: 'this address is ready to receive events',
};

export interface IncomingDependencies extends Pick<Base, 'limiter' | 'log'> {
  readonly automations: {
    receive(publicId: string, request: ShopRequest, countFailure: () => Promise<void>): Promise<Received>;
  };
}

export function incomingRoutes({ automations, limiter, log }: IncomingDependencies): Router {
  const router = Router();

  const handle: RequestHandler = async (request, response) => {
    const shopRequest: ShopRequest = {
      header: (name) => request.get(name) ?? '',
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
    try {
      const countFailure = () => countFailedAuthentication(limiter, request);
      const received = await automations.receive(String(request.params.publicId), shopRequest, countFailure);
      reply(response, { success: true, message: MESSAGES[received] });
    } catch (error) {
      const apiError = toApiError(error, log);
      reply(response, failure(apiError), statusOfError(apiError.code));
    }
  };

  router.post('/hooks/incoming/:publicId', apiHeaders, express.raw({ type: () => true, limit: EVENT_LIMIT }), handle);
  return router;
}
