/** Routes for `/health/live` (the process is running) and `/health/ready` (the process can serve requests). */
import { Router } from 'express';

/**
 * `checks`: a health check for each dependency, by name. A check rejects while its dependency is down. `refusesPaid`
 * returns whether the fraud guard refuses all messages that cost money. The process is ready even then, because it can
 * still verify codes and send emails.
 */
export function healthRoutes(
  checks: Readonly<Record<string, () => Promise<unknown>>>,
  refusesPaid: () => Promise<boolean>,
  stopping: () => boolean,
): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/health/ready', async (_request, response) => {
    const refused = refusesPaid();
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
    const states = results.map(({ status }) => (status === 'fulfilled' ? 'ok' : 'unavailable'));
    const parts = Object.fromEntries(Object.keys(checks).map((name, n) => [name, states[n]]));
    const ready = !stopping() && !states.includes('unavailable');
    const paidMessages = (await refused) ? 'refused' : 'ok';
    response
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ok' : 'unavailable', ...parts, paidMessages, stopping: stopping() });
  });
  return router;
}
