/** The prices of all accounts, kept in memory so that a send needs no query. */
import type { ChannelPrices, PriceTable } from '../../platform/config/prices-file.js';
import type { ChannelName } from '../../platform/contract/channels.js';

/** The currency of all prices unless the operator chooses another currency. */
export const DEFAULT_CURRENCY = 'usd';

export interface StoredPrices {
  readonly accountId: number;
  readonly channel: ChannelName;
  readonly prices: ChannelPrices;
}

export type LivePrices = ReturnType<typeof createLivePrices>;

/** `file`: the table in `PRICES_FILE`. For the channels in this file, the operator's stored prices are ignored. */
export function createLivePrices(file: PriceTable | undefined) {
  let currency = DEFAULT_CURRENCY;
  let stored = new Map<string, ChannelPrices>();
  let operatorId: number | undefined;
  const keyOf = (accountId: number | undefined, channel: ChannelName): string => `${accountId} ${channel}`;

  return {
    update(all: readonly StoredPrices[], storedCurrency: string | null, operator: number | undefined): void {
      stored = new Map(all.map(({ accountId, channel, prices }) => [keyOf(accountId, channel), prices]));
      currency = storedCurrency ?? DEFAULT_CURRENCY;
      operatorId = operator;
    },

    currency: (): string => file?.currency ?? currency,

    /** Returns an account's prices, or the operator's if `accountId` is undefined. */
    of(accountId: number | undefined, channel: ChannelName): ChannelPrices | undefined {
      const own = accountId === undefined || accountId === operatorId ? file?.prices[channel] : undefined;
      return own ?? stored.get(keyOf(accountId ?? operatorId, channel));
    },
  };
}
