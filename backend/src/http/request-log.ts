/** One log line a request: method, path, result and duration. Never a query string, a header or a body. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../log.js';

export function createRequestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.set('X-Request-Id', requestId);
    response.on('finish', () => {
      log.info(
        {
          requestId,
          method: request.method,
          path: request.originalUrl.split('?', 1)[0],
          status: response.statusCode,
          result: (response.locals.code as string | undefined) ?? 'ok',
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
        },
        'request',
      );
    });
    next();
  };
}
