/** `/hooks/incoming/{publicId}` receives the events of shops. */
import express, { Router, type RequestHandler } from 'express';
import type { Base } from '../../platform/base.js';
import { apiHeaders, reply } from '../../platform/http/envelope.js';
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

export interface IncomingDependencies extends Pick<Base, 'limiter'> {
  readonly automations: {
    receive(publicId: string, request: ShopRequest, countFailure: () => Promise<void>): Promise<Received>;
  };
}

export function incomingRoutes({ automations, limiter }: IncomingDependencies): Router {
  const router = Router();

  const handle: RequestHandler = async (request, response) => {
    const shopRequest: ShopRequest = {
      header: (name) => request.get(name) ?? '',
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
    const countFailure = () => countFailedAuthentication(limiter, request);
    const received = await automations.receive(String(request.params.publicId), shopRequest, countFailure);
    reply(response, { success: true, message: MESSAGES[received] });
  };

  router.post('/hooks/incoming/:publicId', apiHeaders, express.raw({ type: () => true, limit: EVENT_LIMIT }), handle);
  return router;
}
