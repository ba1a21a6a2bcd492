/** Texts of applications in the database. */
import type { ChannelName } from '../../providers/provider.js';
import type { Database } from '../../platform/db/database.js';
import { isDuplicate } from '../../platform/db/database-errors.js';
import type { OverrideText } from './rendering/override.js';

/** Which text is replaced. */
export interface OverrideKey {
  readonly template: string;
  readonly channel: ChannelName;
  readonly language: string;
}

export type Override = OverrideKey & OverrideText;

export type OverridesStore = ReturnType<typeof createOverridesStore>;

export function createOverridesStore(db: Database) {
  const row = (applicationId: number, { template, channel, language }: OverrideKey) => ({
    application_id: applicationId,
    template,
    channel,
    language,
  });

  const same = (applicationId: number, key: OverrideKey, { subject, text }: OverrideText) => ({
    ...row(applicationId, key),
    subject,
    text,
  });

  return {
    async list(applicationId: number): Promise<Override[]> {
      const found = await db('template_overrides')
        .select('template', 'channel', 'language', 'subject', 'text')
        .where({ application_id: applicationId })
        .orderBy(['template', 'channel', 'language']);
      return found as Override[];
    },

    async set(applicationId: number, override: Override, now: number): Promise<void> {
      const { subject, text } = override;
      await db('template_overrides')
        .insert({ ...row(applicationId, override), subject, text, updated_at: now })
        .onConflict(['application_id', 'template', 'channel', 'language'])
        .merge(['subject', 'text', 'updated_at']);
    },

    /** Puts a text in place of `before` (null: of none); false when that is not what is stored by now. */
    async replace(applicationId: number, before: OverrideText | null, own: Override, now: number): Promise<boolean> {
      const { subject, text } = own;
      const changed = { subject, text, updated_at: now };
      if (before)
        return (
          (await db('template_overrides')
            .where(same(applicationId, own, before))
            .update(changed)) > 0
        );
      const inserted = db('template_overrides').insert({ ...row(applicationId, own), ...changed });
      return inserted.then(
        () => true,
        (error: unknown) => {
          if (isDuplicate(error)) return false;
          throw error;
        },
      );
    },

    /** Removes a text that is `before`; false when it is another one, or gone. */
    async remove(applicationId: number, key: OverrideKey, before: OverrideText): Promise<boolean> {
      return (
        (await db('template_overrides')
          .where(same(applicationId, key, before))
          .delete()) > 0
      );
    },

    /** False when there was none. */
    async unset(applicationId: number, key: OverrideKey): Promise<boolean> {
      return (await db('template_overrides').where(row(applicationId, key)).delete()) > 0;
    },
  };
}
