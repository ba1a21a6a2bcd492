/** Logs and measures each request: path, result and duration, but no query string, header or body. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';

/** Returns the request id. All log lines about a request contain its id, including lines about message delivery. */
export const requestIdOf = (response: Response): string => response.locals.requestId as string;

export function createRequestLog(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.on('finish', () => {
      const { method, originalUrl } = request;
      const { statusCode: status, locals } = response;
      const duration = performance.now() - startedAt;
      const path = originalUrl.split('?', 1)[0]!;
      const result = (locals.code as string | undefined) ?? 'ok';
      metrics.request(path.replace(/^\/api\/v1/, ''), result, duration / 1000);
      log.info({ requestId, method, path, status, result, ms: Math.round(duration * 10) / 10 }, 'request');
    });
    next();
  };
}
