/** One log line and one measurement a request: path, result and duration. Never a query string, a header or a body. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';

/** Names the request in every log line that it leads to, up to the provider's answer. */
export const requestIdOf = (response: Response): string => response.locals.requestId as string;

export function createRequestLog({ log, metrics }: { log: Log; metrics: Metrics }): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.on('finish', () => {
      const ms = performance.now() - startedAt;
      const path = request.originalUrl.split('?', 1)[0]!;
      const result = (response.locals.code as string | undefined) ?? 'ok';
      metrics.request(path.replace(/^\/api\/v1/, ''), result, ms / 1000);
      const { method } = request;
      log.info(
        { requestId, method, path, status: response.statusCode, result, ms: Math.round(ms * 10) / 10 },
        'request',
      );
    });
    next();
  };
}
