/** Routes that many processes never serve. Loading them with their first request makes each start faster, and saves memory. */
import type { RequestHandler } from 'express';

export function loadedOnFirstRequest(load: () => Promise<RequestHandler>): RequestHandler {
  let loaded: Promise<RequestHandler> | undefined;
  return async function loadRoutes(request, response, next) {
    loaded ??= load();
    const routes = await loaded;
    await routes(request, response, next);
  };
}
