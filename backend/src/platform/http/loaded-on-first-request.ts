/** Routes that many processes never serve. Loading them with their first request makes each start faster, and saves memory. */
import type { RequestHandler } from 'express';
import { loadOnce } from '../load-once.js';

export function loadedOnFirstRequest(load: () => Promise<RequestHandler>): RequestHandler {
  const loaded = loadOnce(load);
  return async function loadRoutes(request, response, next) {
    const routes = await loaded();
    await routes(request, response, next);
  };
}
