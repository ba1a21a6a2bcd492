/** `/health/live` (the process runs), `/health/ready` (it can serve requests) and `/metrics`. */
import { Router } from 'express';
import type { Backlog, Metrics } from '../metrics.js';

/** `checks` are the dependencies by name. A check rejects while its dependency is down. */
export function healthRoutes(
  checks: Readonly<Record<string, () => Promise<unknown>>>,
  stopping: () => boolean,
  metrics: Metrics,
  backlog: () => Promise<Backlog>,
): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/health/ready', async (_request, response) => {
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
    const states = results.map(({ status }) => (status === 'fulfilled' ? 'ok' : 'unavailable'));
    const parts = Object.fromEntries(Object.keys(checks).map((name, n) => [name, states[n]]));
    const ready = !stopping() && !states.includes('unavailable');
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', ...parts, stopping: stopping() });
  });
  router.get('/metrics', async (_request, response) => {
    const { contentType, text } = await metrics.page(backlog);
    response.type(contentType).send(text);
  });
  return router;
}
