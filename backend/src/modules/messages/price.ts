/** Message prices. A price is calculated before a message is sent, and charged if a provider accepts the message. */
import type { Routing } from '../providers/routing.js';
import { chargeOf, unitsOf, type UsageKey } from '../usage/usage.js';

/** The charge for a message that no provider accepted. */
export const NO_CHARGE = '0.0000';

export interface Price {
  /** Amount with four decimals, such as `0.0075`. */
  readonly charge: string;
  readonly currency: string;
  /** ISO 3166 code of the recipient's country; "" for email, and for numbers without a country. */
  readonly country: string;
  /** Number of segments of a long SMS, already included in the charge. */
  readonly segments?: number;
}

type PricedMessage = Pick<UsageKey, 'applicationId' | 'channel' | 'country'>;

/** Returns a message price. `parts`: number of SMS segments, because prices are per segment. */
export type PriceOf = (message: PricedMessage, parts?: number) => Price;

export function createPriceOf({
  pricesFor,
  isFree,
  currency,
}: Pick<Routing, 'pricesFor' | 'isFree' | 'currency'>): PriceOf {
  return function priceOf({ applicationId, channel, country }, parts = 1) {
    const prices = isFree({ applicationId }, channel) ? undefined : pricesFor({ applicationId }, channel);
    const charge = prices?.[country] ?? prices?.['*'] ?? NO_CHARGE;
    const price = { charge, currency: currency(), country };
    if (parts === 1) return price;
    return { ...price, charge: chargeOf(BigInt(unitsOf(price.charge) * parts)), segments: parts };
  };
}
