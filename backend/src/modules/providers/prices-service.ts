/** Lists and sets an account's prices, by channel and country. */
import type { Knex } from 'knex';
import { isCurrency, type ChannelPrices, type PriceTable } from '../../platform/config/prices-file.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { EditConflictError, requireRight, type Actor } from '../access/actor.js';
import { changesBetween, type Change } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ChangeRouting } from './change-routing.js';
import { DEFAULT_CURRENCY } from './live-prices.js';
import { mergePrices, priceChanges } from './price-list.js';
import { ProviderSettingsError } from './provider-account.js';
import type { ProvidersService } from './providers-service.js';
import type { ProvidersStore } from './providers-store.js';

/** Maximum number of prices that an audit entry lists. */
const MAX_AUDITED_CHANGES = 20;

export interface PricesView {
  /** ISO 4217 code in lower case. */
  readonly currency: string;
  /** Whether the account can choose the currency, which applies to the prices of all accounts. */
  readonly maySetCurrency: boolean;
  readonly channels: readonly ChannelPricesView[];
}

export interface ChannelPricesView {
  readonly channel: ChannelName;
  /** Empty if all messages are free. */
  readonly prices: ChannelPrices;
  /** Whether the prices come from `PRICES_FILE`. */
  readonly readOnly: boolean;
}

export interface PriceUpdate {
  readonly accountId: number;
  readonly channel: ChannelName;
  /** Prices to set by country; an undefined price removes the country. */
  readonly prices: Readonly<Record<string, string | undefined>>;
  /** Whether countries that `prices` does not name are removed. */
  readonly replace?: boolean;
}

interface Dependencies {
  readonly store: Pick<ProvidersStore, 'currency' | 'setCurrency' | 'prices' | 'setPrices'>;
  readonly providers: Pick<ProvidersService, 'assertAllowed' | 'isOperatorAccount'>;
  readonly changeRouting: ChangeRouting;
  /** The table in `PRICES_FILE`. */
  readonly file: PriceTable | undefined;
  readonly audit: AuditService;
}

export function createPricesService(dependencies: Dependencies) {
  const { store, providers, changeRouting, file, audit } = dependencies;

  async function stored(accountId: number, channel: ChannelName, trx?: Knex): Promise<ChannelPrices> {
    return (await store.prices(accountId, trx)).find((one) => one.channel === channel)?.prices ?? {};
  }

  /** Returns an account's prices for messages sent through its own providers. */
  async function list(actor: Actor, accountId: number): Promise<PricesView> {
    requireRight(actor, 'read');
    const isOperators = await providers.isOperatorAccount(accountId);
    const all = await store.prices(accountId);
    const channels = CHANNELS.map((channel): ChannelPricesView => {
      const fixed = isOperators ? file?.prices[channel] : undefined;
      const prices = fixed ?? all.find((one) => one.channel === channel)?.prices ?? {};
      return { channel, prices, readOnly: fixed !== undefined };
    });
    const currency = file?.currency ?? (await store.currency()) ?? DEFAULT_CURRENCY;
    return { currency, maySetCurrency: isOperators && file === undefined, channels };
  }

  /**
   * Sets prices. They apply to new messages within 2 seconds, in all processes. Throws an {@link EditConflictError}
   * unless the stored prices are as expected.
   */
  async function set(
    actor: Actor,
    { accountId, channel, prices, replace }: PriceUpdate,
    isExpected: (stored: ChannelPrices) => boolean = () => true,
  ): Promise<ChannelPrices> {
    requireRight(actor, 'own');
    if ((await providers.assertAllowed(accountId)) && file?.prices[channel])
      throw new ProviderSettingsError(`PRICES_FILE contains the prices of ${channel}; change this file`);
    return changeRouting(async (trx) => {
      const before = await stored(accountId, channel, trx);
      if (!isExpected(before)) throw new EditConflictError();
      const after = mergePrices(replace ? {} : before, prices);
      await store.setPrices(trx, accountId, channel, after);
      const changes = auditedChanges(before, after);
      if (changes.length > 0)
        await audit.record(trx, actor, { accountId, action: 'price.change', subject: channel, changes });
      return after;
    });
  }

  /** Sets the currency of all prices. The amounts are not converted. */
  async function setCurrency(actor: Actor, accountId: number, code: string): Promise<void> {
    requireRight(actor, 'own');
    if (!(await providers.isOperatorAccount(accountId)))
      throw new ProviderSettingsError('only the operator can choose the currency');
    if (file) throw new ProviderSettingsError('PRICES_FILE contains the currency; change this file');
    const currency = code.trim().toLowerCase();
    if (!isCurrency(currency)) throw new ProviderSettingsError('enter an ISO 4217 code such as USD');
    await changeRouting(async (trx) => {
      const before = (await store.currency(trx)) ?? DEFAULT_CURRENCY;
      await store.setCurrency(trx, currency);
      const changes = changesBetween({ currency: before }, { currency });
      if (changes.length > 0)
        await audit.record(trx, actor, { accountId, action: 'price.change', subject: 'currency', changes });
    });
  }

  return { list, set, setCurrency };
}

/**
 * Returns the changes for the audit log. For long lists, such as an import, only the number of countries is recorded.
 */
function auditedChanges(before: ChannelPrices, after: ChannelPrices): readonly Change[] {
  const changes = priceChanges(before, after).map((change) => ({
    name: change.country,
    before: change.before ?? '',
    after: change.after ?? '',
  }));
  if (changes.length <= MAX_AUDITED_CHANGES) return changes;
  return [{ name: 'prices', before: '', after: `${changes.length} countries changed` }];
}
