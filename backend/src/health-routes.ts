/** `/health/live` (the process answers) and `/health/ready` (it can also serve). */
import { Router } from 'express';
import type { Database } from './db/database.js';

export function healthRoutes({ db, stopping }: { db: Database; stopping: () => boolean }): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_request, response) => {
    const database = await db.raw('select 1').then(
      () => 'ok',
      () => 'unavailable',
    );
    const ready = database === 'ok' && !stopping();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', database, stopping: stopping() });
  });
  return router;
}
