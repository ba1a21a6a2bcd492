/** Logs and measures each request: path, result and duration, but no query string, header or body. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';

/** Returns the request id. All log lines about a request contain its id, including lines about message delivery. */
export const requestIdOf = (response: Response): string => response.locals.requestId as string;

/** Paths that monitoring and browsers request all the time. */
const ROUTINE_PATHS = /^\/(health\/(live|ready)|metrics)$|\.(css|ico|js|png|svg|woff2)$/;

/**
 * Accepted format of a request ID from the caller. Other values are ignored, so that they cannot reach the log. The maximum
 * length is that of the column in which messages store the ID.
 */
const REQUEST_ID = /^[\w.-]{8,36}$/;

/** Logs successful requests of routine paths only at the level `debug`. Their failures are as interesting as any other. */
const levelOf = (path: string, status: number) => (status < 400 && ROUTINE_PATHS.test(path) ? 'debug' : 'info');

export function createRequestLog(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id') ?? '';
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
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
      log[levelOf(path, status)](
        { requestId, method, path, status, result, ms: Math.round(duration * 10) / 10 },
        'request',
      );
    });
    next();
  };
}
