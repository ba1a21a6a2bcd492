import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import type { Override, OverrideKey, OverrideText } from './template.js';

export type OverridesStore = ReturnType<typeof createOverridesStore>;

const rowKey = (applicationId: number, { template, channel, language }: OverrideKey) => ({
  application_id: applicationId,
  template,
  channel,
  language,
});

export function createOverridesStore(db: Database) {
  return {
    async list(applicationId: number): Promise<Override[]> {
      return db('template_overrides')
        .select('template', 'channel', 'language', 'subject', 'text')
        .where({ application_id: applicationId })
        .orderBy(['template', 'channel', 'language']);
    },

    async lock(trx: Knex, applicationId: number, key: OverrideKey): Promise<OverrideText | null> {
      const row = await trx('template_overrides')
        .first('subject', 'text')
        .where(rowKey(applicationId, key))
        .forUpdate();
      return row ?? null;
    },

    async insert(trx: Knex, applicationId: number, override: Override, now: number): Promise<void> {
      const { subject, text } = override;
      await trx('template_overrides').insert({ ...rowKey(applicationId, override), subject, text, updated_at: now });
    },

    async update(trx: Knex, applicationId: number, override: Override, now: number): Promise<void> {
      const { subject, text } = override;
      await trx('template_overrides').where(rowKey(applicationId, override)).update({ subject, text, updated_at: now });
    },

    async remove(trx: Knex, applicationId: number, key: OverrideKey): Promise<void> {
      await trx('template_overrides').where(rowKey(applicationId, key)).delete();
    },
  };
}
