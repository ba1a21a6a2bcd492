import type { Knex } from 'knex';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Keyring } from '../../platform/crypto.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { resealColumn } from '../../platform/db/reseal.js';
import { fromRow, fromSecretRow, toRow, type Row } from '../../platform/db/row.js';
import type { ChannelPrices } from '../../platform/config/prices-file.js';
import type { StoredPrices } from './live-prices.js';
import { secretsContext, type StoredProvider } from './provider-account.js';
import type { Route, RouteMode } from './route.js';

export type ProvidersStore = ReturnType<typeof createProvidersStore>;

const toProvider = (row: Row): StoredProvider => ({
  ...fromSecretRow<StoredProvider>(row),
  settings: JSON.parse(row.settings as string),
  enabled: Boolean(row.enabled),
});

/** The latest results of a provider's checks (channel `*`), or of its messages on a channel. */
export interface HealthRow {
  readonly provider: string;
  readonly channel: string;
  /** Keyed hash of the settings with which the results were obtained. */
  readonly settings: string;
  readonly succeededAt: number | null;
  readonly failingSince: number | null;
  readonly reason: string | null;
}

const toRoute = (row: Row): Route => ({
  accountId: row.account_id as number,
  channel: row.channel as ChannelName,
  country: row.country as string,
  mode: row.mode as RouteMode,
  entries: JSON.parse(row.providers as string),
});

const toPrices = (row: Row): StoredPrices => ({
  ...fromRow<StoredPrices>(row),
  prices: JSON.parse(row.prices as string),
});

const OLDEST_FIRST = ['created_at', 'id'];

export function createProvidersStore(db: Database) {
  const versions = (trx: Knex) => trx('routing_versions').where({ id: 1 });

  return {
    version: async (): Promise<number> => Number((await versions(db).first('version')).version),

    /** Increments the version. Locks its row, so that changes to providers, routes and prices run one at a time. */
    async bump(trx: Knex): Promise<void> {
      await versions(trx).increment('version', 1);
    },

    /** Reads all providers, routes and prices, and the applications of accounts that may use their own providers. */
    async readAll() {
      const { version, currency }: Row = await versions(db).first('version', 'currency');
      const allowed: number[] = await db('accounts').where({ own_providers: true }).pluck('id');
      const providers: Row[] = await db('providers').orderBy(OLDEST_FIRST);
      const routes: Row[] = await db('routes');
      const prices: Row[] = await db('prices');
      const applications: Row[] =
        allowed.length === 0 ? [] : await db('applications').whereIn('account_id', allowed).select('id', 'account_id');
      const newest: Row | undefined = await db('applications').max({ id: 'id' }).first();
      return {
        version: Number(version),
        currency: currency as string | null,
        providers: providers.map(toProvider),
        routes: routes.map(toRoute),
        prices: prices.map(toPrices),
        allowedAccounts: new Set(allowed),
        accountOf: new Map(applications.map((row) => [row.id as number, row.account_id as number])),
        newestApplication: Number(newest?.id ?? 0),
      };
    },

    async list(accountId: number, trx: Knex = db): Promise<StoredProvider[]> {
      return (await trx('providers').where({ account_id: accountId }).orderBy(OLDEST_FIRST)).map(toProvider);
    },

    async insert(trx: Knex, provider: StoredProvider): Promise<void> {
      await trx('providers').insert(toRow({ ...provider, settings: JSON.stringify(provider.settings) }));
    },

    async update(trx: Knex, { id, name, settings, secretsSealed, enabled, verifiedAt }: StoredProvider): Promise<void> {
      const changed = { name, settings: JSON.stringify(settings), secretsSealed, enabled, verifiedAt };
      await trx('providers').where({ id }).update(toRow(changed));
    },

    async remove(trx: Knex, id: string): Promise<void> {
      await trx('providers').where({ id }).delete();
      await trx('provider_health').where({ provider: id }).delete();
    },

    /** Marks the provider as verified if its credentials are still the same: each change seals them again. */
    async setVerified(trx: Knex, { id, secretsSealed }: StoredProvider, time: number): Promise<void> {
      await trx('providers').where({ id, secrets_sealed: secretsSealed }).update({ verified_at: time });
    },

    async health(ids: readonly string[], trx: Knex = db): Promise<HealthRow[]> {
      return (await trx('provider_health').whereIn('provider', ids)).map(fromRow<HealthRow>);
    },

    async setHealth(trx: Knex, health: HealthRow): Promise<void> {
      await trx('provider_health').insert(toRow(health)).onConflict(['provider', 'channel']).merge();
    },

    async routes(accountId: number, trx: Knex = db): Promise<Route[]> {
      return (await trx('routes').where({ account_id: accountId }).orderBy(['channel', 'country'])).map(toRoute);
    },

    async removeRoute(trx: Knex, { accountId, channel, country }: Omit<Route, 'entries' | 'mode'>): Promise<boolean> {
      return (await trx('routes').where({ account_id: accountId, channel, country }).delete()) > 0;
    },

    async insertRoute(trx: Knex, { accountId, channel, country, mode, entries }: Route): Promise<void> {
      const providers = JSON.stringify(entries);
      await trx('routes').insert({ account_id: accountId, channel, country, mode, providers });
    },

    async currency(trx: Knex = db): Promise<string | null> {
      return (await versions(trx).first('currency')).currency;
    },

    async setCurrency(trx: Knex, currency: string): Promise<void> {
      await versions(trx).update({ currency });
    },

    async prices(accountId: number, trx: Knex = db): Promise<StoredPrices[]> {
      return (await trx('prices').where({ account_id: accountId })).map(toPrices);
    },

    /** Replaces a channel's prices. An empty object removes them. */
    async setPrices(trx: Knex, accountId: number, channel: ChannelName, prices: ChannelPrices): Promise<void> {
      await trx('prices').where({ account_id: accountId, channel }).delete();
      if (Object.keys(prices).length > 0)
        await trx('prices').insert({ account_id: accountId, channel, prices: JSON.stringify(prices) });
    },

    async isAllowed(accountId: number, trx: Knex = db): Promise<boolean> {
      return Boolean((await trx('accounts').where({ id: accountId }).first('own_providers'))?.own_providers);
    },

    async setAllowed(trx: Knex, accountId: number, allowed: boolean): Promise<void> {
      await trx('accounts').where({ id: accountId }).update({ own_providers: allowed });
    },

    /** Reseals all secrets with the newest key. Returns the number of resealed providers. */
    reseal: (keyring: Keyring): Promise<number> =>
      resealColumn(db, keyring, {
        table: 'providers',
        column: 'secrets_sealed',
        contextOf: ({ id }) => secretsContext(id as string),
      }),

    async findMessageId(provider: string, providerId: string): Promise<string | undefined> {
      const row = await db('provider_message_ids').where({ provider, provider_id: providerId }).first('message_id');
      return row?.message_id as string | undefined;
    },

    deleteMessageIdsBefore: (time: number): Promise<void> =>
      deleteInChunks(() => db('provider_message_ids').where('created_at', '<', time), 'message_id'),
  };
}
