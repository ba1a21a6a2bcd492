/** The migration that introduced message look-ups also covers older messages. */
import { rmSync } from 'node:fs';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import * as first from '../../backend/src/platform/db/migrations/0001-first.js';
import * as deliveryReports from '../../backend/src/platform/db/migrations/0004-delivery-reports.js';
import * as messageLookup from '../../backend/src/platform/db/migrations/0007-message-lookup.js';
import { createLookupStore } from '../../backend/src/modules/messages/lookup-store.js';
import { createDataFolder } from '../support/data-folder.js';
import { createTestDatabase } from '../support/databases.js';
import { scaled } from '../support/members.js';

it('indexes messages of an earlier version by their final state', async () => {
  const dataDir = createDataFolder('upgrade');
  const database = scaled ? await createTestDatabase() : undefined;
  const db = openDatabase({ url: database?.url, dataDir });
  try {
    await first.up(db);
    await deliveryReports.up(db);
    const common = { application_id: 1, template: 'otp', request_id: '', recipient: '+14155550100', channel: 'SMS' };
    const row = { ...common, plan: '["SMS"]', tried: '[]', expires_at: 0, created_at: 0 };
    const messages = [
      { id: '00first', state: 'failed' },
      { id: 'expired', state: 'expired' },
      { id: '7fsent', state: 'sent' },
      { id: '80delivered', state: 'sent', report: 'delivered' },
      { id: 'ffundelivered', state: 'sent', report: 'undelivered' },
      { id: 'zlast', state: 'queued' },
    ];
    await db('messages').insert(messages.map((message) => ({ report: null, ...row, ...message })));
    await messageLookup.up(db);
    // A later migration adds this column, which the look-up reads.
    await db.schema.alterTable('messages', (t) => void t.string('provider', 40));
    const store = createLookupStore(db);
    for (const { id, state, report } of messages as readonly { id: string; state: 'sent'; report?: 'delivered' }[]) {
      const found = await store.page({ applicationIds: [1], state: report ?? state }, { limit: 10 });
      expect(found.map((message) => message.id)).toEqual([id]);
    }
  } finally {
    await db.destroy();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
