import { errorTopics } from '../contract/contract.js';
import type { ErrorCode } from '../contract/errors.js';

const statuses = new Map(
  Object.values(errorTopics)
    .flatMap((errors) => Object.entries(errors))
    .map(([code, { status, throttled }]) => [code, status ?? (throttled ? 429 : 400)] as const),
);

/**
 * Returns the HTTP status of an error, for shops, identity servers, the management API and callers that prefer statuses. By
 * default, the API replies to errors with status 200.
 */
export const statusOfError = (code: ErrorCode): number => statuses.get(code)!;
