/** Every reply of the API: HTTP 200 with `success`, whatever happened. */
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { isDatabaseError } from '../db/database-errors.js';
import { ApiError, failure, type ErrorCode } from '../contract/errors.js';
import type { components } from '../contract/generated/api.js';
import { BODY_LIMIT, UNAVAILABLE_RETRY_SECONDS } from '../limits.js';
import { describeError, type Log } from '../log.js';

type Reply = components['schemas']['Success'] | components['schemas']['Failure'];

/** Sends a body of the contract; a throttled one says so to HTTP clients as well. */
export function reply(response: Response, body: Reply, status = 200): void {
  if (!body.success) {
    response.locals.code = body.code;
    if (body.retryAfterSeconds !== undefined) response.set('Retry-After', String(body.retryAfterSeconds));
  }
  response.status(status).json(body);
}

export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Reads any body as JSON, whatever its type says: a caller who forgot the header meant JSON. */
export const jsonBody: RequestHandler = express.json({
  limit: BODY_LIMIT,
  // A GET has its parameters in the query; some clients give it a body all the same.
  type: ({ method }) => method !== 'GET',
  strict: false,
});

/** Answers the methods that a path does not have. Express would let HEAD run the GET route, and so send a code. */
export function allowOnly(...methods: string[]): RequestHandler {
  return (request, _response, next) => {
    if (!methods.includes(request.method))
      throw new ApiError('METHOD_NOT_ALLOWED', { values: { allowed: methods.join(' and ') } });
    next();
  };
}

export const notFound: RequestHandler = (_request, response) => {
  reply(response, failure(new ApiError('NOT_FOUND')), 404);
};

const BODY_ERRORS: Readonly<Record<string, ErrorCode>> = {
  'entity.too.large': 'BODY_TOO_LARGE',
  'entity.parse.failed': 'MALFORMED_JSON',
  'encoding.unsupported': 'MALFORMED_JSON',
  'charset.unsupported': 'MALFORMED_JSON',
  'entity.verify.failed': 'MALFORMED_JSON',
  'request.size.invalid': 'MALFORMED_JSON',
  'request.aborted': 'MALFORMED_JSON',
};

function asApiError(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const bodyError = BODY_ERRORS[(error as { type?: string }).type ?? ''];
  if (bodyError) return new ApiError(bodyError);
  if (error instanceof URIError) return new ApiError('NOT_FOUND');
  // Bodies that are not what their Content-Encoding says.
  if ((error as { status?: number }).status === 400) return new ApiError('MALFORMED_JSON');
  log.error({ err: describeError(error) }, 'request failed');
  if (isDatabaseError(error))
    return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
  return new ApiError('INTERNAL_ERROR');
}

/** Statuses outside of the API, whose readers are not ours: a key set or a page that cannot be had is no 200. */
const ORDINARY_STATUS: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND: 404,
  MALFORMED_JSON: 400,
  BODY_TOO_LARGE: 413,
  SERVICE_UNAVAILABLE: 503,
};

/**
 * Turns whatever was thrown into a failed reply; what nobody expected is logged without its text. In the API only an
 * unknown path has a status of its own.
 */
export function createErrorHandler(log: Log, { ordinary }: { ordinary: boolean }): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const apiError = asApiError(error, log);
    const status = ORDINARY_STATUS[apiError.code] ?? 500;
    reply(response, failure(apiError), ordinary || status === 404 ? status : 200);
  };
}
