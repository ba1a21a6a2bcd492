/** The newest messages of an application. */
import { createRecentStore } from '../../backend/src/modules/messages/recent-store.js';
import { setUpSqlite } from '../support/sqlite-database.js';

const APPLICATION = 1;
const database = setUpSqlite();
let ids = 0;

/** Stores a sent message. */
async function add(recipient: string, createdAt: number, changes: object = {}): Promise<void> {
  await database()('messages').insert({
    id: `${++ids}`,
    application_id: APPLICATION,
    template: 'otp',
    request_id: '',
    recipient,
    plan: '["SMS"]',
    tried: '[]',
    channel: 'SMS',
    state: 'sent',
    created_at: createdAt,
    expires_at: createdAt,
    ...changes,
  });
}

it('finds the latest message to each of several countries, also of those with the same calling code', async () => {
  const american = '+14155550100';
  const canadian = '+14165550100';
  const french = '+33612345678';
  const delivered = { report: 'delivered' };
  const undelivered = { report: 'undelivered' };
  await add(american, 100, undelivered);
  // Counted as one person.
  await add(american, 110, undelivered);
  await add('+14155550101', 120, delivered);
  await add(canadian, 130, delivered);
  await add(french, 90, delivered);
  await add(french, 140, { ...delivered, template: 'order_shipped' });
  // Not sent to these countries, not sent, or of another application.
  await add('+447400123456', 150, delivered);
  await add(canadian, 160, { state: 'failed' });
  await add(french, 170, { application_id: APPLICATION + 1 });
  const { latestTo } = createRecentStore(database());
  expect([...(await latestTo(APPLICATION, ['US', 'CA', 'FR', 'DE'], 100))]).toEqual([
    ['US', { at: 120, inLastHour: 3, delivered: 1, undelivered: 1 }],
    ['CA', { at: 130, inLastHour: 1, delivered: 1, undelivered: 0 }],
    // The code is older than the time since which codes are counted.
    ['FR', { at: 140, inLastHour: 2, delivered: 0, undelivered: 0 }],
    ['DE', undefined],
  ]);
});
