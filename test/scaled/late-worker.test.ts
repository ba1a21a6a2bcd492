/** A worker that was frozen comes back after its lease, when another one has its message. */
import { random } from '../../backend/src/platform/crypto.js';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import { createDeliveryStore, type DeliveryStore } from '../../backend/src/modules/messages/delivery-store.js';
import type { Message } from '../../backend/src/modules/messages/message.js';
import { createMessagesStore, type MessagesStore } from '../../backend/src/modules/messages/messages-store.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

let database: TestDatabase;
let db: Database;
let messages: MessagesStore;
let store: DeliveryStore;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ url: database.url, dataDir: '' });
  db = openDatabase({ url: database.url, dataDir: '' });
  messages = createMessagesStore(db, createWriter(db));
  store = createDeliveryStore(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function newMessage(): Promise<string> {
  const id = random.hex(16);
  const about = {
    applicationId: 1,
    maskId: '',
    template: 'otp',
    requestId: '',
    recipient: 'a@example.com',
    payload: 'sealed',
  };
  await messages.insert({ id, ...about, plan: ['EMAIL', 'SMS'], expiresAt: 1000 }, 0, []);
  return id;
}

const claim = async (id: string, now: number): Promise<Message | undefined> =>
  (await store.claim([id], { now, leaseUntil: now + 100 }))[0];

/** A message that one worker has lost to another. */
async function takenOver(): Promise<{ id: string; late: Message; holder: Message }> {
  const id = await newMessage();
  const late = (await claim(id, 0))!;
  const holder = (await claim(id, 100))!;
  return { id, late, holder };
}

const PRICE = { charge: '0.0100', currency: 'usd', country: '' };
const failed = ({ id, claim, applicationId, channel }: Message) => ({
  ...{ id, claim, applicationId, channel, price: PRICE },
  state: 'failed' as const,
  tried: [],
  now: 101,
});

it('does not give the message to a third one', async () => {
  const { id, late } = await takenOver();
  await store.requeue(late, 101, []);
  await store.nextChannel(late, 'SMS', [], 101);
  expect(await claim(id, 102)).toBeUndefined();
});

it('does not end it, unless it has sent it', async () => {
  const { id, late, holder } = await takenOver();
  const neighbour = await takenOver();
  await store.finish([failed(late), failed(neighbour.holder)]);
  expect(await messages.find(id)).toMatchObject({ state: 'sending', claim: holder.claim, payload: 'sealed' });
  expect(await messages.find(neighbour.id)).toMatchObject({ state: 'failed' });
  await store.finish([{ ...failed(late), state: 'sent' }]);
  expect(await messages.find(id)).toMatchObject({ state: 'sent', payload: null });
});

it('leaves the message to the one that has it', async () => {
  const { id, holder } = await takenOver();
  await store.requeue(holder, 150, []);
  expect(await claim(id, 150)).toMatchObject({ attempts: 3, crashes: 1 });
});

it('stores how messages went also when the provider gives one of them an endless id', async () => {
  const [one, other] = [(await claim(await newMessage(), 0))!, (await claim(await newMessage(), 0))!];
  const sent = { state: 'sent' as const, price: PRICE, tried: [], now: 1 };
  await store.finish([
    { ...one, ...sent, providerId: 'x'.repeat(1000) },
    { ...other, ...sent, providerId: 'short' },
  ]);
  for (const { id } of [one, other]) expect(await messages.find(id)).toMatchObject({ state: 'sent' });
});
