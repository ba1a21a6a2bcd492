/**
 * API replies. The HTTP status is 200 even for errors, unless the caller sends `Prefer: http-status`. The field `success`
 * shows whether the request succeeded.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { contract } from '../contract/contract.js';
import { ApiError, failure, UNAVAILABLE_RETRY_SECONDS, type ErrorCode } from '../contract/errors.js';
import type { Schemas } from '../contract/schemas.js';
import { isDatabaseError } from '../db/database-errors.js';
import { describeError, type Log } from '../log.js';
import { statusOfError } from './error-status.js';
import { suggestedPath } from './unknown-paths.js';

/** Maximum request body size. Real requests are at most a few kilobytes. */
export const BODY_LIMIT = '64kb';

type Reply = Schemas['Success'] | Schemas['Failure'];

/** Adds a warning to the reply: a problem that does not make the request fail. Does nothing without a text. */
export function warn(response: Response, text: string | undefined): void {
  if (text !== undefined) ((response.locals.warnings ??= []) as string[]).push(text);
}

/** Marks the reply as a repetition: an earlier request had the same Idempotency-Key. */
export const markRepeated = (response: Response): void => void response.set('Idempotent-Replayed', 'true');

/** Returns the `docs` property of an error reply: a URL below `app.locals.errorsUrl`, or nothing if that is not set. */
function docsOf(response: Response, code: ErrorCode): { docs?: string } {
  const { errorsUrl } = response.app.locals as { errorsUrl?: string };
  return errorsUrl === undefined ? {} : { docs: `${errorsUrl}#${code}` };
}

/** Value of the header `Prefer` that requests an HTTP status for each error (RFC 7240). */
const HTTP_STATUS_PREFERENCE = 'http-status';

const prefersStatus = (request: Request): boolean =>
  (request.get('Prefer') ?? '').split(/[,;]/).some((text) => text.trim().toLowerCase() === HTTP_STATUS_PREFERENCE);

/** Returns the HTTP status that the caller prefers for an error, and adds the headers that belong to it. */
function preferredStatus(response: Response, { code, retryAfterSeconds }: Schemas['Failure']): number {
  const status = statusOfError(code);
  if (status === 429 && retryAfterSeconds !== undefined)
    response.set({ 'RateLimit-Remaining': '0', 'RateLimit-Reset': String(retryAfterSeconds) });
  return status;
}

/** Sends a reply. For a failure with `status` 200, callers with `Prefer: http-status` get the error's own status. */
export function reply(response: Response, body: Reply, status = 200): void {
  const { warnings } = response.locals as { warnings?: string[] };
  const hasPreference = prefersStatus(response.req);
  if (hasPreference) response.set('Preference-Applied', HTTP_STATUS_PREFERENCE);
  const added = warnings && { warnings };
  if (body.success) return void response.status(status).json({ ...body, ...added });
  response.locals.code = body.code;
  if (body.retryAfterSeconds !== undefined) response.set('Retry-After', String(body.retryAfterSeconds));
  const sent = hasPreference && status === 200 ? preferredStatus(response, body) : status;
  response.status(sent).json({ ...body, ...docsOf(response, body.code), ...added });
}

export const apiHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-store', 'Passbell-Version': contract.info.version });
  next();
};

/** Parses the body of every request other than GET as JSON, even if its Content-Type is missing or wrong. */
export const jsonBody: RequestHandler = express.json({
  limit: BODY_LIMIT,
  // Ignores the bodies of GET requests, which some clients send although the parameters are in the query.
  type: ({ method }) => method !== 'GET',
  strict: false,
});

/** Rejects all methods except `methods`. Rejects HEAD too: Express would run the GET route, which may send a code. */
export function allowOnly(...methods: string[]): RequestHandler {
  return (request, _response, next) => {
    if (!methods.includes(request.method))
      throw new ApiError('METHOD_NOT_ALLOWED', { values: { allowed: methods.join(' and ') } });
    next();
  };
}

export const notFound: RequestHandler = (request, response) => {
  const path = suggestedPath(request.originalUrl.split('?')[0]!);
  reply(response, failure(new ApiError('NOT_FOUND', { hint: path && `Did you mean ${path}?` })), 404);
};

export function toApiError(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new ApiError('BODY_TOO_LARGE');
  if (error instanceof URIError) return new ApiError('NOT_FOUND');
  // The body is not JSON, or has an unsupported encoding or charset.
  if (status === 400 || status === 415) return new ApiError('MALFORMED_JSON');
  log.error({ err: describeError(error) }, 'request failed');
  if (isDatabaseError(error))
    return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
  return new ApiError('INTERNAL_ERROR');
}

/** The API replies to errors with status 200, except for unknown paths. */
export const apiStatusOf = (code: ErrorCode): number => (code === 'NOT_FOUND' ? 404 : 200);

interface ErrorOptions {
  readonly convert?: typeof toApiError;
  readonly statusOf?: typeof statusOfError;
  /** The authentication scheme that replies with status 401 name. */
  readonly scheme?: 'Bearer';
}

/** Turns errors into failure replies, and logs unexpected errors without their messages. */
export function createErrorHandler(
  log: Log,
  { convert = toApiError, statusOf = statusOfError, scheme }: ErrorOptions = {},
): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const apiError = convert(error, log);
    const status = statusOf(apiError.code);
    if (status === 401 && scheme) response.set('WWW-Authenticate', scheme);
    reply(response, failure(apiError), status);
  };
}
