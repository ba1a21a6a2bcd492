/** Shutdown of the webhook sender. */
import { rmSync } from 'node:fs';
import { createAttemptsStore } from '../../backend/src/modules/webhooks/attempts-store.js';
import { createOutboxStore } from '../../backend/src/modules/webhooks/outbox-store.js';
import { createSender } from '../../backend/src/modules/webhooks/sender.js';
import { secretContext } from '../../backend/src/modules/webhooks/webhook.js';
import { createWebhooksStore } from '../../backend/src/modules/webhooks/webhooks-store.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createTestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { waiting } from '../support/wait.js';

it('the shutdown waits at most ten seconds, even for a call that never ends', async () => {
  const dataDir = createDataFolder('test');
  await migrate({ dataDir, url: undefined });
  const db = openDatabase({ dataDir, url: undefined });
  const clock = createTestClock();
  const keyring = createKeyring(['a key of this test']);
  const store = createOutboxStore(db);
  const now = clock.now();
  await db('accounts').insert({ id: 1, email: 'operator@localhost', status: 'active', created_at: now });
  await db('applications').insert({
    id: 1,
    account_id: 1,
    app_key: 'pk_1',
    name: 'Shop',
    status: 'active',
    settings: '{}',
    created_at: now,
  });
  const webhook = { webhookId: 'WHK-1', applicationId: 1, url: 'https://shop.example/', events: [] };
  const secretSealed = keyring.seal(secretContext(webhook), 'secret');
  await createWebhooksStore(db).insert(db, { ...webhook, secretSealed, createdAt: clock.now() });
  await store.insert(db, [{ webhookId: 1, eventId: 'EVT-1', body: '{}' }], clock.now());

  let called = (): void => undefined;
  const calling = new Promise<void>((resolve) => (called = resolve));
  const post = () => {
    called();
    return new Promise<never>(() => undefined);
  };
  const callOut = { post, mayCall: async () => true };
  const attempts = createAttemptsStore(db);
  const sender = createSender({ store, attempts, keyring, callOut, clock, log: createLog('silent') });
  await sender.poll();
  await waiting('a call of the webhook', calling);
  let stopped = false;
  const stopping = sender.stop().then(() => (stopped = true));
  clock.advance(9_999);
  await db.raw('select 1');
  expect(stopped).toBe(false);
  clock.advance(1);
  await stopping;
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});
