/** The price of a message, fixed when a provider accepts it. */
import type { PriceTable } from '../../platform/config/prices-file.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Provider } from '../../providers/provider.js';
import { unitsOf } from '../usage/usage.js';
import { parseRecipient } from '../recipients/recipient.js';

/** The charge for everything that no provider accepted. */
export const NO_CHARGE = '0.0000';

export interface Price {
  /** Four decimals, such as `0.0075`. */
  readonly charge: string;
  readonly currency: string;
  /** ISO 3166 code of the recipient's country; "" for email, and for numbers without a country. */
  readonly country: string;
}

export type PriceOf = (channel: ChannelName, recipient: string) => Price;

export function createPriceOf(
  { currency, prices }: PriceTable,
  providers: ReadonlyMap<ChannelName, Pick<Provider, 'standIn'>>,
): PriceOf {
  return function priceOf(channel, recipient) {
    const country = parseRecipient(recipient)?.country ?? '';
    const ofChannel = providers.get(channel)?.standIn ? undefined : prices[channel];
    return { charge: ofChannel?.[country] ?? ofChannel?.['*'] ?? NO_CHARGE, currency, country };
  };
}

/** The most that a message can cost on one of these channels, in ten-thousandths of the currency. */
export const highestCost = (priceOf: PriceOf, channels: readonly ChannelName[], recipient: string): number =>
  Math.max(...channels.map((channel) => unitsOf(priceOf(channel, recipient).charge)));
