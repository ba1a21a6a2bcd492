/** `/health/live` (the process answers), `/health/ready` (it can also serve) and `/metrics`. */
import { Router } from 'express';
import type { Backlog, Metrics } from '../metrics.js';

export interface HealthParts {
  /** What this process needs, by name; each check rejects when it is away. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly stopping: () => boolean;
  readonly metrics: Metrics;
  readonly backlog: () => Promise<Backlog>;
}

export function healthRoutes({ checks, stopping, metrics, backlog }: HealthParts): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_request, response) => {
    const states = Object.entries(checks).map(async ([name, check]) => {
      const state = await check().then(
        () => 'ok',
        () => 'unavailable',
      );
      return [name, state] as const;
    });
    const parts = Object.fromEntries(await Promise.all(states));
    const ready = !stopping() && Object.values(parts).every((state) => state === 'ok');
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', ...parts, stopping: stopping() });
  });
  router.get('/metrics', async (_request, response) => {
    const { contentType, text } = await metrics.page(backlog);
    response.type(contentType).send(text);
  });
  return router;
}
