/** Message prices. A price is calculated before a message is sent, and charged if a provider accepts the message. */
import type { PriceTable } from '../../platform/config/prices-file.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Provider } from '../../providers/provider.js';
import { chargeOf, unitsOf } from '../usage/usage.js';
import { parseRecipient } from '../recipients/recipient.js';

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

/** Returns a message price. `parts`: number of SMS segments; the price table contains prices per segment. */
export type PriceOf = (channel: ChannelName, recipient: string, parts?: number) => Price;

export function createPriceOf(
  { currency, prices }: PriceTable,
  providers: ReadonlyMap<ChannelName, Pick<Provider, 'standIn'>>,
): PriceOf {
  return function priceOf(channel, recipient, parts = 1) {
    const country = parseRecipient(recipient)?.country ?? '';
    const channelPrices = providers.get(channel)?.standIn ? undefined : prices[channel];
    const price = { charge: channelPrices?.[country] ?? channelPrices?.['*'] ?? NO_CHARGE, currency, country };
    if (parts === 1) return price;
    return { ...price, charge: chargeOf(BigInt(unitsOf(price.charge) * parts)), segments: parts };
  };
}
