import type { ExchangeError } from '../platform/http/exchange.js';
import { ProviderError, type FailureKind } from './provider.js';

export interface HttpFailure {
  readonly kind: FailureKind;
  readonly concerns: ProviderError['concerns'];
}

/** Statuses with which a server rejects a request before it processes it. */
const NOT_PROCESSED: ReadonlySet<number> = new Set([408, 425, 429, 503]);
/** Statuses that concern the account or the address of the API. */
const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 405]);

/**
 * Returns what a reply that does not confirm a message means, unless the vendor's error code says more. A 5xx status
 * other than 503 may come from a gateway in front of a server that has accepted the message, so the outcome is unknown.
 */
export function httpFailure(status: number): HttpFailure {
  if (NOT_PROCESSED.has(status)) return { kind: 'transient', concerns: 'provider' };
  if (status < 300 || status >= 500) return { kind: 'unknown', concerns: 'provider' };
  if (status < 400 || ACCOUNT_STATUSES.has(status)) return { kind: 'permanent', concerns: 'provider' };
  return { kind: 'permanent', concerns: 'route' };
}

/** Returns the error for a request without a complete reply. `vendor` is used in sentences, such as `the provider`. */
export function transportError(
  vendor: string,
  { failure, timedOut }: Pick<ExchangeError, 'failure' | 'timedOut'>,
): ProviderError {
  switch (failure) {
    case 'rejectedAddress':
      return new ProviderError('permanent', `${vendor}'s address is not public`, undefined, 'provider');
    case 'unreachable':
      return new ProviderError(
        'transient',
        `${vendor} ${timedOut ? 'could not be reached in time' : 'cannot be reached'}`,
      );
    case 'noReply':
      return new ProviderError(
        'unknown',
        timedOut ? `${vendor} did not reply in time` : `the connection to ${vendor} was lost`,
      );
  }
}
