/** Texts of applications in the database. */
import type { ChannelName } from '../../channels/channel.js';
import type { Database } from '../../db/database.js';
import type { OverrideText } from '../../templates/override.js';

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

    /** False when there was none. */
    async unset(applicationId: number, key: OverrideKey): Promise<boolean> {
      return (await db('template_overrides').where(row(applicationId, key)).delete()) > 0;
    },
  };
}
