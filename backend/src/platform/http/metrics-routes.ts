/**
 * The route `/metrics`, in the Prometheus format. Requires METRICS_TOKEN. On a developer's machine without
 * METRICS_TOKEN, requests from the same machine are accepted.
 */
import { Router, type RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { productionSettings } from '../config/exposure.js';
import { constantTimeEqual } from '../crypto.js';
import type { Backlog, Metrics, StateOfProvider } from '../metrics.js';
import { onlyLocalRequests } from './local-requests.js';

const onlyWithToken =
  (token: string | undefined): RequestHandler =>
  (request, response, next) => {
    const [, sentToken] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token !== undefined && sentToken !== undefined && constantTimeEqual(sentToken, token)) return next();
    response
      .status(401)
      .set('WWW-Authenticate', 'Bearer')
      .type('text')
      .send('Set METRICS_TOKEN, and send it as "Authorization: Bearer …".\n');
  };

export function metricsRoutes(
  config: Config,
  metrics: Metrics,
  backlog: () => Promise<Backlog>,
  refusesPaid: () => Promise<boolean>,
  providerStates: () => Promise<readonly StateOfProvider[]>,
): Router {
  const token = config.METRICS_TOKEN;
  const isLocal = token === undefined && productionSettings(config).length === 0;
  const router = Router();
  router.get('/metrics', isLocal ? onlyLocalRequests : onlyWithToken(token), async (_request, response) => {
    const { contentType, text } = await metrics.page(backlog, refusesPaid, providerStates);
    response.type(contentType).send(text);
  });
  return router;
}
