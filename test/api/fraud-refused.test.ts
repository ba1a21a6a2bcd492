/**
 * The webhook event `fraud.refused`: at once if more than five people in served countries are affected, otherwise on the
 * next day; once for each application and day, over all processes.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, utcDay } from '../../backend/src/platform/clock.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import type { Body } from '../support/service.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

const US = '+141555511';
const CANADA = '+151455511';

let customer: WebhookServer;
let service: GuardedService;
beforeEach(async () => {
  customer = await startWebhookServer();
  service = await startGuardedService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const { passbell, keys } = service;
  await passbell.post('/webhooks', { url: customer.url, events: ['fraud.refused'] }, { keys });
  // The tests refuse messages within a few hours of the same day.
  passbell.clock.advance(DAY - (passbell.clock.now() % DAY) + HOUR);
});
afterEach(async () => {
  await service.close();
  await customer.close();
});

async function pause(...countries: string[]): Promise<void> {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  for (const key of countries)
    await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key }, 'pause');
  passbell.clock.advance(SEEN_MS);
}

async function refuse(...refused: string[]): Promise<void> {
  for (const reply of await service.sendAtOnce(refused)) expect(reply).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

/** Cleans up in all processes, and twice in each, at the same time. */
async function cleanUp(): Promise<void> {
  const { cores } = service.passbell;
  const tasks = [...cores, ...cores].flatMap(({ fraud }) => fraud.maintenance);
  await Promise.all(tasks.map((task) => task()));
}

async function query<T>(read: (db: ReturnType<GuardedService['passbell']['openDatabase']>) => Promise<T>): Promise<T> {
  const db = service.passbell.openDatabase();
  return read(db).finally(() => db.destroy());
}

/** Returns all events so far, oldest first. */
async function events(): Promise<Body[]> {
  const isEmpty = async () => (await query((db) => db('webhook_deliveries').first())) === undefined;
  await until('an empty outbox', isEmpty, advancing(service.passbell.clock, 100));
  return customer.calls.map(({ event }) => event);
}

const recentEvents = async (): Promise<Body[]> => {
  const { passbell, keys } = service;
  return (await passbell.get('/webhooks/recent', { event: 'fraud.refused' }, { keys })).data.events;
};

it('the event is sent at once, and once, when more than five people in served countries are affected', async () => {
  const { passbell, keys } = service;
  await pause('US', 'CA');
  const day = utcDay(passbell.clock.now());
  const people = numbers(US, 5);
  await refuse(...people, ...people, ...numbers(CANADA, 3));
  expect(await events()).toEqual([]);
  await refuse(`${US}20`);
  const [event] = await events();
  expect(event).toEqual({
    id: customer.calls[0]!.headers['passbell-event-id'],
    event: 'fraud.refused',
    createdTime: expect.any(Number),
    data: {
      appKey: keys.appKey,
      application: 'Another Shop',
      day,
      messages: 14,
      people: 9,
      refusals: [
        { rule: 'person', country: 'US', messages: 11, people: 6, isServed: true },
        { rule: 'person', country: 'CA', messages: 3, people: 3, isServed: false },
      ],
    },
  });
  await refuse(...numbers(US, 8, 30));
  await service.restart();
  await refuse(...numbers(US, 8, 40));
  service.passbell.clock.advance(DAY);
  await cleanUp();
  expect(await events()).toEqual([event]);
  expect(await recentEvents()).toEqual([event]);
});

it('the event is sent on the next day, by one of several processes, if nobody seems to be a customer', async () => {
  await pause('CA');
  const { clock } = service.passbell;
  const day = utcDay(clock.now());
  await refuse(...numbers(CANADA, 12));
  await cleanUp();
  expect(await events()).toEqual([]);
  clock.advance(DAY);
  await cleanUp();
  await cleanUp();
  expect(await events()).toMatchObject([{ data: { day, messages: 12, people: 12 } }]);
  clock.advance(DAY);
  await cleanUp();
  expect(await events()).toHaveLength(1);
});

it('people are counted again on each day', async () => {
  await pause('CA');
  const { clock } = service.passbell;
  clock.advance(20 * HOUR);
  await refuse(...numbers(CANADA, 3));
  clock.advance(8 * HOUR);
  await cleanUp();
  // An event that is not sent within a day would be deleted.
  expect(await events()).toMatchObject([{ data: { people: 3 } }]);
  await refuse(...numbers(CANADA, 3));
  clock.advance(DAY);
  await cleanUp();
  expect(await events()).toMatchObject([{ data: { people: 3 } }, { data: { people: 3 } }]);
});

it('no event is sent if nothing was refused', async () => {
  await service.verify(`${US}10`);
  service.passbell.clock.advance(DAY);
  await cleanUp();
  expect(await events()).toEqual([]);
  expect(await recentEvents()).toEqual([]);
});

it('the event is stored only together with the notice, and by a later refusal if it could not be stored', async () => {
  await pause('US');
  const notices = () => query((db) => db('fraud_notices').where({ kind: 'refused' }));
  await query((db) => db.schema.renameTable('webhook_deliveries', 'unwritable'));
  await refuse(...numbers(US, 8));
  expect(await notices()).toEqual([]);
  await query((db) => db.schema.renameTable('unwritable', 'webhook_deliveries'));
  await refuse(`${US}30`);
  expect(await notices()).toHaveLength(1);
  expect(await events()).toMatchObject([{ data: { messages: 9, people: 9 } }]);
});
