import type { Knex } from 'knex';
import type { Keyring } from '../../platform/crypto.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { resealColumn } from '../../platform/db/reseal.js';
import { fromRow, fromSecretRow, type Row } from '../../platform/db/row.js';
import { secretContext, type Automation, type ShopConnection } from './automation.js';

export interface ShopOfApplication extends ShopConnection {
  readonly appKey: string;
  readonly accountId: number;
}

export type ShopsStore = ReturnType<typeof createShopsStore>;

const toShop = <T extends ShopConnection = ShopConnection>(row: Row): T => ({
  ...fromSecretRow<T>(row),
  publicId: row.hook_id as string,
});

const toAutomation = (row: Row): Automation => ({
  ...fromRow<Automation>(row),
  shopId: row.hook_id as number,
  fields: JSON.parse(row.fields as string),
  enabled: Boolean(row.enabled),
});

export function createShopsStore(db: Database) {
  const withApplication = () =>
    db('incoming_hooks as h')
      .join('applications as a', 'a.id', 'h.application_id')
      .select('h.*', 'a.app_key as app_key', 'a.account_id as account_id');

  return {
    /**
     * Locks an application or a shop until the transaction ends, so that parallel requests cannot exceed a limit on the
     * number of rows that belong to it.
     */
    async lock(trx: Knex, table: 'applications' | 'incoming_hooks', id: number): Promise<void> {
      await trx(table).where({ id }).forUpdate().first('id');
    },

    /** Returns an application's shops, oldest first. */
    async list(applicationId: number, trx: Knex = db): Promise<ShopConnection[]> {
      return (await trx('incoming_hooks').where({ application_id: applicationId }).orderBy('id')).map((row) =>
        toShop(row),
      );
    },

    async find(publicId: string): Promise<ShopOfApplication | undefined> {
      const row = await withApplication().where('h.hook_id', publicId).first();
      return row && toShop(row);
    },

    async findById(id: number): Promise<ShopOfApplication | undefined> {
      const row = await withApplication().where('h.id', id).first();
      return row && toShop(row);
    },

    async insert(
      trx: Knex,
      {
        publicId,
        applicationId,
        kind,
        secretSealed,
        createdAt,
      }: Omit<ShopConnection, 'id' | 'site' | `rejected${string}`>,
    ): Promise<void> {
      const row = { hook_id: publicId, application_id: applicationId, kind, secret_sealed: secretSealed };
      await trx('incoming_hooks').insert({ ...row, created_at: createdAt });
    },

    async setSecret(trx: Knex, id: number, secretSealed: string): Promise<void> {
      await trx('incoming_hooks').where({ id }).update({ secret_sealed: secretSealed, rejected: 0 });
    },

    async setSite(id: number, site: string): Promise<void> {
      await db('incoming_hooks').where({ id }).update({ site });
    },

    async countRejected(id: number, because: string, now: number): Promise<void> {
      const update = { rejected: db.raw('rejected + 1'), rejected_because: because, rejected_at: now };
      await db('incoming_hooks').where({ id }).update(update);
    },

    async remove(trx: Knex, id: number): Promise<void> {
      for (const table of ['automations', 'incoming_events', 'handled_events'])
        await deleteInChunks(() => trx(table).where({ hook_id: id }), 'id');
      await trx('incoming_hooks').where({ id }).delete();
    },

    /** Returns the automations of a shop, oldest first. */
    async automations(shopId: number, trx: Knex = db): Promise<Automation[]> {
      return (await trx('automations').where({ hook_id: shopId }).orderBy('id')).map(toAutomation);
    },

    async insertAutomation(trx: Knex, automation: Omit<Automation, 'id'>, now: number): Promise<number> {
      const [id] = await trx('automations').insert({
        hook_id: automation.shopId,
        application_id: automation.applicationId,
        event: automation.event,
        template: automation.template,
        channel: automation.channel,
        fields: JSON.stringify(automation.fields),
        enabled: automation.enabled,
        created_at: now,
      });
      return id!;
    },

    async updateAutomation(trx: Knex, { id, channel, fields, enabled }: Automation): Promise<void> {
      await trx('automations')
        .where({ id })
        .update({ channel, fields: JSON.stringify(fields), enabled });
    },

    async removeAutomation(trx: Knex, id: number): Promise<void> {
      await trx('automations').where({ id }).delete();
    },

    /** Reseals all secrets with the newest key. Returns the number of resealed secrets. */
    reseal: (keyring: Keyring): Promise<number> =>
      resealColumn(db, keyring, {
        table: 'incoming_hooks',
        column: 'secret_sealed',
        contextOf: (row) => secretContext(toShop(row)),
      }),
  };
}
