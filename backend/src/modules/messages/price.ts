/** What a message costs, fixed when a provider accepts it. */
import type { Channel, ChannelName } from '../../providers/provider.js';
import type { PriceTable } from '../../platform/config/prices-file.js';
import { parseRecipient } from '../recipients/recipient.js';

/** Of anything that no provider accepted. */
export const NO_CHARGE = '0.0000';

export interface Price {
  /** Four decimals, such as `0.0075`. */
  readonly charge: string;
  /** ISO 4217 code in lower case. */
  readonly currency: string;
  /** ISO 3166 code of the recipient's country; "" for mail, and for numbers of no country. */
  readonly country: string;
}

/** Price of a message to `recipient`, should the channel's provider accept it. */
export type PriceOf = (channel: ChannelName, recipient: string) => Price;

export function createPriceOf(
  { currency, prices }: PriceTable,
  channels: ReadonlyMap<ChannelName, Pick<Channel, 'standIn'>>,
): PriceOf {
  return (channel, recipient) => {
    const country = parseRecipient(recipient)?.country ?? '';
    // A stand-in reaches nobody, so nobody charges for it.
    const ofChannel = channels.get(channel)?.standIn ? undefined : prices[channel];
    return { charge: ofChannel?.[country] ?? ofChannel?.['*'] ?? NO_CHARGE, currency, country };
  };
}

/** A price in ten-thousandths, so that sums are whole numbers. */
export const unitsOf = (charge: string): number => Number(charge.replace('.', ''));

/** Ten-thousandths as a price with four decimals. */
export function chargeOf(units: bigint): string {
  const digits = String(units).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
