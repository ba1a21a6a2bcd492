/** A frozen worker resumes after its lease has expired and another worker has claimed its message. */
import { random } from '../../backend/src/platform/crypto.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import type { ApplyEvents } from '../../backend/src/modules/messages/apply-events.js';
import { newMessage, type Message } from '../../backend/src/modules/messages/message.js';
import { createMessagesStore, type MessagesStore } from '../../backend/src/modules/messages/messages-store.js';
import { createTestClock, type TestClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { applierOf } from '../support/messages.js';

let database: TestDatabase;
let db: Database;
let messages: MessagesStore;
let clock: TestClock;
let events: ApplyEvents;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ url: database.url, dataDir: '' });
  db = openDatabase({ url: database.url, dataDir: '' });
  messages = createMessagesStore(db, createWriter(db));
  clock = createTestClock();
  events = applierOf(db, clock);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function insertMessage(): Promise<string> {
  const id = random.hex(16);
  const fields = {
    applicationId: 1,
    maskId: '',
    template: 'otp',
    requestId: '',
    recipient: 'a@example.com',
    payload: 'sealed',
  };
  const draft = { id, ...fields, plan: ['EMAIL', 'SMS'], expiresAt: clock.now() + 1000 * SECOND } as const;
  await messages.insert(newMessage(draft, clock.now()), []);
  return id;
}

const LEASE_MS = 100 * SECOND;
const PRICE = { charge: '0.0100', currency: 'usd', country: '' };

async function claim(id: string): Promise<Message | undefined> {
  const event = { id, type: 'claimed', claim: random.hex(8), leaseUntil: clock.now() + LEASE_MS } as const;
  const claimed = await events.claim(event);
  return claimed === 'ignored' ? undefined : claimed.message;
}

/** Creates a message that a second worker has claimed after the first worker's lease expired. */
async function takeOver(): Promise<{ id: string; late: Message; current: Message }> {
  const id = await insertMessage();
  const late = (await claim(id))!;
  clock.advance(LEASE_MS);
  const current = (await claim(id))!;
  return { id, late, current };
}

const attempt = ({ id, claim }: Message) => ({ id, claim, startedAt: clock.now(), price: PRICE });
const rejected = (message: Message) => ({ ...attempt(message), type: 'rejected', reason: 'no' }) as const;
const unknown = (message: Message) => ({ ...attempt(message), type: 'outcomeUnknown', reason: 'no reply' }) as const;
const accepted = (message: Message, providerId: string) =>
  ({ ...attempt(message), type: 'accepted', providerId }) as const;
const failedTransiently = (message: Message) =>
  ({ ...attempt(message), type: 'failedTransiently', reason: 'busy', retryAfterSeconds: undefined }) as const;

it('a message with a valid lease cannot be claimed', async () => {
  const { id } = await takeOver();
  expect(await claim(id)).toBeUndefined();
});

it('the frozen worker cannot requeue its message', async () => {
  const { id, late } = await takeOver();
  expect(await events.apply(failedTransiently(late))).toBe('ignored');
  expect(await events.apply(rejected(late))).toBe('ignored');
  expect(await claim(id)).toBeUndefined();
});

it('the frozen worker can mark its message as sent, but not as failed', async () => {
  const { id, late, current } = await takeOver();
  const otherMessage = await takeOver();
  await Promise.all([events.apply(unknown(late)), events.apply(unknown(otherMessage.current))]);
  expect(await messages.find(id)).toMatchObject({ state: 'sending', claim: current.claim, payload: 'sealed' });
  expect(await messages.find(otherMessage.id)).toMatchObject({ state: 'failed' });
  await events.apply(accepted(late, 'one'));
  expect(await messages.find(id)).toMatchObject({ state: 'sent', payload: null });
});

it('the second worker can requeue the message', async () => {
  const { id, current } = await takeOver();
  // After a crash, it is unknown whether the first attempt succeeded, so the message must not fall back to another
  // channel.
  await events.apply(failedTransiently(current));
  clock.advance(10 * SECOND);
  expect(await claim(id)).toMatchObject({ attemptCount: 3, crashes: 1 });
});

it('the final state of a message is stored even if the provider returns an oversized id', async () => {
  const one = (await claim(await insertMessage()))!;
  const other = (await claim(await insertMessage()))!;
  await Promise.all([events.apply(accepted(one, 'x'.repeat(1000))), events.apply(accepted(other, 'short'))]);
  for (const { id } of [one, other]) expect(await messages.find(id)).toMatchObject({ state: 'sent' });
});
