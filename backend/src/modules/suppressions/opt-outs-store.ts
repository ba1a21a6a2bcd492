import type { Knex } from 'knex';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import type { OptOut } from './opt-out.js';
import { addressKey } from './suppression.js';

const toOptOut = (row: Row): OptOut => ({
  ...fromRow<OptOut>(row),
  optedOut: Boolean(row.opted_out),
});

export type OptOutsStore = ReturnType<typeof createOptOutsStore>;

export function createOptOutsStore(db: Database) {
  return {
    /** Returns the channels on which a recipient has stopped notifications. */
    async channelsOf(applicationId: number, address: string): Promise<ChannelName[]> {
      const query = db('opt_outs').where({ application_id: applicationId, address: addressKey(address) });
      return query.where({ opted_out: true }).pluck('channel');
    },

    /** Stores a recipient's decision. Returns false if it is the stored one. */
    async change(trx: Knex, optOut: OptOut): Promise<boolean> {
      const { applicationId, channel, optedOut, source, word, changedAt } = optOut;
      const key = { application_id: applicationId, channel, address: addressKey(optOut.address) };
      const decision = { source, word, changed_at: changedAt };
      if (optedOut)
        await trx('opt_outs')
          .insert({ ...key, ...decision, opted_out: false })
          .onConflict(['application_id', 'channel', 'address'])
          .ignore();
      const others = trx('opt_outs').where({ ...key, opted_out: !optedOut });
      return (await others.update({ ...decision, opted_out: optedOut })) > 0;
    },

    application: (trx: Knex, id: number): Promise<{ appKey: string; name: string } | undefined> =>
      trx('applications').where({ id }).first({ appKey: 'app_key', name: 'name' }),

    /** Lists the recipients of these applications who have decided, newest first. */
    async list(applicationIds: readonly number[], search: string, limit: number): Promise<OptOut[]> {
      const query = db('opt_outs').whereIn('application_id', applicationIds);
      if (search !== '') query.whereRaw("address like ? escape '!'", [`%${search.replace(/[!%_]/g, '!$&')}%`]);
      return (await query.orderBy('changed_at', 'desc').limit(limit)).map(toOptOut);
    },

    /** Returns the latest decisions of an application's recipients. */
    async recent(applicationId: number, optedOut: boolean, limit: number): Promise<OptOut[]> {
      const query = db('opt_outs').where({ application_id: applicationId, opted_out: optedOut });
      return (await query.orderBy('changed_at', 'desc').limit(limit)).map(toOptOut);
    },

    erase: (trx: Knex, applicationIds: readonly number[], address: string): Promise<number> =>
      trx('opt_outs')
        .whereIn('application_id', applicationIds)
        .where({ address: addressKey(address) })
        .delete(),
  };
}
