import type { ErrorCode } from '../contract/errors.js';
import { ERRORS } from '../contract/generated/errors.js';

const HTTP_STATUS: Partial<Record<ErrorCode, number>> = {
  MISSING_CREDENTIALS: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  INVALID_ENDPOINT: 403,
  APPLICATION_INACTIVE: 403,
  USER_INACTIVE: 403,
  ACCOUNT_BLOCKED: 403,
  CHALLENGE_REQUIRED: 403,
  NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_IN_FLIGHT: 409,
  EDIT_CONFLICT: 412,
  BODY_TOO_LARGE: 413,
  INTERNAL_ERROR: 500,
  SEND_FAILED: 502,
  OVERLOADED: 503,
  SERVICE_UNAVAILABLE: 503,
};

/**
 * Returns the HTTP status of an error, for shops, identity servers, the management API and callers that prefer statuses. By
 * default, the API replies to errors with status 200.
 */
export function statusOfError(code: ErrorCode): number {
  const { throttled = false }: { message: string; throttled?: boolean } = ERRORS[code];
  return HTTP_STATUS[code] ?? (throttled ? 429 : 400);
}
