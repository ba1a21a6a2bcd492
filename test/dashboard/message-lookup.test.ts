/** Message look-ups in a large table: the results, and the number of rows read. */
import type { Knex } from 'knex';
import type { Database } from '../../backend/src/platform/db/database.js';
import { createLookupStore, type LookupStore } from '../../backend/src/modules/messages/lookup-store.js';
import { isTest, visibleState, type Message, type VisibleState } from '../../backend/src/modules/messages/message.js';
import type { MessageFilter, PagePosition } from '../../backend/src/modules/messages/message-filter.js';
import { DEV_INBOX_ID } from '../../backend/src/providers/provider-id.js';
import { toMessage } from '../../backend/src/modules/messages/messages-store.js';
import { createMessageLookup, MAX_CHECKED } from '../../backend/src/modules/messages/message-lookup.js';
import { signIn } from '../support/dashboard.js';
import { fillMessages } from '../support/many-messages.js';
import { startService, type TestService } from '../support/service.js';

const ROWS = 30_000;
const NOW = 1_800_000_000_000;
/** Ids of the applications in one account. Application 3 belongs to another account. */
const OWN_APPLICATIONS = [1, 2];
const STATES: readonly VisibleState[] = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'canceled',
  'refused',
];

let passbell: TestService;
let db: Database;
let store: LookupStore;
let allMessages: readonly Message[];
beforeAll(async () => {
  passbell = await startService();
  db = passbell.openDatabase();
  store = createLookupStore(db);
  await fillMessages(db, { rows: ROWS, applicationIds: [...OWN_APPLICATIONS, 3], now: NOW });
  const open = {
    template: 'otp',
    request_id: '',
    recipient: '+14155550100',
    plan: '["SMS"]',
    tried: '[]',
    channel: 'SMS',
  };
  const times = { expires_at: NOW + 10 ** 9, created_at: NOW, due_at: NOW + 10 ** 9 };
  for (const application_id of [1, 3])
    for (const state of ['queued', 'sending'])
      await db('messages').insert({ id: `${state}-${application_id}`, application_id, state, ...open, ...times });
  // Stored as states that the previous version knows.
  for (const application_id of [1, 3])
    for (const [ending, state] of [
      ['scheduled', 'failed'],
      ['canceled', 'expired'],
    ])
      await db('messages').insert({
        id: `${ending}-${application_id}`,
        application_id,
        state,
        ending,
        ...open,
        ...times,
      });
  const refusal = JSON.stringify({ code: 'COOLDOWN', reason: 'too many codes', hint: 'Wait.', until: NOW });
  await db('messages')
    .where({ channel: 'VOICE' })
    .where('id', '<', '8')
    .update({ state: 'failed', ending: 'refused', report: null, refusal });
  await db('messages')
    .where({ state: 'sent', report: null })
    .where('id', 'like', '%7')
    .update({ provider: DEV_INBOX_ID });
  allMessages = (await db('messages'))
    .map(toMessage)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
});

/** Returns the ids of the messages that match a filter, without the look-up store. */
const matchingIds = ({ applicationIds, state, channel, recipient, from, to }: MessageFilter): string[] =>
  allMessages
    .filter((message) => applicationIds.includes(message.applicationId))
    .filter((message) => state === undefined || visibleState(message) === state)
    .filter((message) => state !== 'sent' || !isTest(message))
    .filter((message) => channel === undefined || message.channel === channel)
    .filter((message) => recipient === undefined || message.recipient === recipient)
    .filter(
      (message) => (from === undefined || message.createdAt >= from) && (to === undefined || message.createdAt < to),
    )
    .map(({ id }) => id);

const someRecipient = (): string =>
  allMessages.find(({ applicationId, state }) => applicationId === 1 && state === 'failed')!.recipient;

const filters = (): [string, Omit<MessageFilter, 'applicationIds'>][] => [
  ['all', {}],
  ...STATES.map((state): [string, object] => [state, { state }]),
  ['a channel', { channel: 'SMS' }],
  ['a channel with few messages', { channel: 'VOICE' }],
  ['a channel without messages', { channel: 'WHATSAPP' }],
  ['a channel and a state', { channel: 'EMAIL', state: 'failed' }],
  ['queued messages of a channel', { channel: 'EMAIL', state: 'queued' }],
  ['a recipient', { recipient: someRecipient() }],
  ['a recipient and a state', { recipient: someRecipient(), state: 'failed' }],
  ['a recipient and another state', { recipient: someRecipient(), state: 'sent' }],
  ['an unknown recipient', { recipient: '+14150000000' }],
  ['a time', { from: NOW - 2000, to: NOW - 1000 }],
  ['a time without messages', { from: 0, to: 1000 }],
  ['a time and a state', { from: NOW - 20_000, to: NOW - 1000, state: 'expired' }],
];

it('returns the matching messages of the given applications for every filter, newest first', async () => {
  for (const [name, filter] of filters())
    for (const applicationIds of [[1], OWN_APPLICATIONS]) {
      const found = await store.page({ ...filter, applicationIds }, { limit: 60 });
      const ids = found.map(({ id }) => id);
      expect([name, applicationIds, ids]).toEqual([
        name,
        applicationIds,
        matchingIds({ ...filter, applicationIds }).slice(0, 60),
      ]);
    }
});

it('returns every message exactly once across all pages', async () => {
  const filter = { applicationIds: OWN_APPLICATIONS, channel: 'EMAIL' } as const;
  const seen: string[] = [];
  let after: PagePosition | undefined;
  do {
    const page = await store.page(filter, { after, limit: 37 });
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1);
  } while (after);
  expect(seen).toEqual(matchingIds(filter));
});

it('orders messages with the same time consistently across pages', async () => {
  const same = {
    template: 'otp',
    request_id: '',
    recipient: '+1',
    plan: '[]',
    tried: '[]',
    channel: 'VOICE',
    state: 'sent',
  };
  const ids = Array.from({ length: 7 }, (_, n) => `same-${n}`);
  await db('messages').insert(ids.map((id) => ({ id, application_id: 7, ...same, expires_at: 0, created_at: 5 })));
  const first = await store.page({ applicationIds: [7] }, { limit: 3 });
  const rest = await store.page({ applicationIds: [7] }, { after: first.at(-1), limit: 10 });
  expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.reverse());
});

it('returns the attempts of the newest messages, and refused messages do not use up their number', async () => {
  const attempted = allMessages.filter(
    ({ applicationId, refusal }) => OWN_APPLICATIONS.includes(applicationId) && refusal === null,
  );
  const oldest = attempted.at(-1)!;
  const found = await store.attempted(OWN_APPLICATIONS, oldest.createdAt, ROWS);
  expect(found).toHaveLength(attempted.filter(({ createdAt }) => createdAt >= oldest.createdAt).length);
  expect(found.at(-1)).toMatchObject({ createdAt: oldest.createdAt });
  expect((await store.attempted(OWN_APPLICATIONS, 0, 30)).map(({ createdAt }) => createdAt)).toEqual(
    found.slice(0, 30).map(({ createdAt }) => createdAt),
  );
});

it('supports more applications than a single statement can query', async () => {
  const applicationIds = Array.from({ length: 45 }, (_, n) => n + 1);
  const found = await store.page({ applicationIds }, { limit: 60 });
  expect(found.map(({ id }) => id)).toEqual(matchingIds({ applicationIds }).slice(0, 60));
  const attempts = await store.attempted(applicationIds, 0, 60);
  expect(attempts.map(({ createdAt }) => createdAt)).toEqual(
    allMessages
      .filter(({ refusal }) => refusal === null)
      .map(({ createdAt }) => createdAt)
      .slice(0, 60),
  );
});

it("does not find another application's message by its id", async () => {
  const foreign = allMessages.find(({ applicationId }) => applicationId === 3)!;
  expect(await store.find(OWN_APPLICATIONS, foreign.id)).toBeUndefined();
  expect(await store.find([3], foreign.id)).toMatchObject({ id: foreign.id });
  expect(await store.find([], foreign.id)).toBeUndefined();
});

it('checks the country of a limited number of messages on each page, and finds all of them on the next pages', async () => {
  const canadian = [4000, 4001, 9000, ROWS - 5].map((place) => allMessages[place]!);
  for (const { id } of canadian) await db('messages').where({ id }).update({ recipient: '+14165550123' });
  const filter = { applicationIds: [1, 2, 3], country: 'CA' };
  let read = 0;
  const counted: LookupStore = {
    ...store,
    async recipients(...parameters) {
      const rows = await store.recipients(...parameters);
      read += rows.length;
      return rows;
    },
  };
  const { core } = passbell;
  const lookup = createMessageLookup(counted, core.keyring, core.clock, () => 'usd');
  const pages: string[][] = [];
  let after: PagePosition | undefined;
  do {
    read = 0;
    const page = await lookup.page(filter, after, 1);
    expect(read).toBeLessThanOrEqual(MAX_CHECKED);
    pages.push(page.messages.map(({ id }) => id));
    after = page.next;
  } while (after);
  expect(pages.flat()).toEqual(canadian.map(({ id }) => id));
  // Two messages on the first 5,000 make one page each.
  expect(pages.slice(0, 3).map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(pages.length).toBeLessThan(12);

  const owner = await signIn(passbell);
  const { html } = await owner.get('/messages?country=CA&state=delivered');
  expect(html).not.toContain('class="live-line');
});

/** Returns the number of rows that MySQL reads during `work`. */
async function rowsRead(trx: Knex, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const [rows] = (await trx.raw(`show session status like 'Handler_read%'`)) as [{ Value: string }[]];
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

/** Returns SQLite's query plans for the statements of `work`. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const collect = (query: { sql: string; bindings: unknown[] }) => void statements.push(query);
  db.on('query', collect);
  await work();
  db.removeListener('query', collect);
  const plans = statements.map(({ sql, bindings }) => db.raw(`explain query plan ${sql}`, bindings as never));
  return ((await Promise.all(plans)) as { detail: string }[][]).flat().map(({ detail }) => detail);
}

it('reads few rows for a page, with every filter and at any depth', async () => {
  const deep = allMessages[ROWS - 5000];
  for (const [name, filter] of filters())
    for (const after of [undefined, deep]) {
      if (db.client.dialect === 'mysql') {
        const read = await db.transaction((trx) =>
          rowsRead(trx, () =>
            createLookupStore(trx).page({ ...filter, applicationIds: OWN_APPLICATIONS }, { after, limit: 51 }),
          ),
        );
        // Each of the 40 subqueries contributes up to 51 rows, which are read, sorted and fetched.
        expect([name, read, read < 2500]).toEqual([name, read, true]);
      } else {
        const plan = await plansOf(() =>
          store.page({ ...filter, applicationIds: OWN_APPLICATIONS }, { after, limit: 51 }),
        );
        const used = plan.flatMap((line) => /^(?:SCAN|SEARCH) (messages.*)/.exec(line)?.[1] ?? []);
        const open = filter.state === 'queued' || filter.state === 'sending';
        const { state, channel, recipient } = filter;
        const kind = state === undefined && channel === undefined ? 'application' : 'kind';
        const index = open ? 'state_expires_at' : recipient === undefined ? kind : 'recipient';
        const wanted = new RegExp(`USING (COVERING )?INDEX (messages_${index}_index|sqlite_autoindex_messages_1)`);
        expect([name, used.filter((line) => !wanted.test(line))]).toEqual([name, []]);
        expect([name, used.some((line) => line.includes(`_${index}_`))]).toEqual([name, true]);
      }
    }
});

it('finds when a provider last sent a message at once, without reading whole messages', async () => {
  const insert = (created_at: number, channel: string, ...names: readonly string[]) => {
    const tried = names.map((provider, n) => ({ channel, provider, success: n === 0, message: 'sent' }));
    const id = `through-${created_at}`;
    const row = { id, application_id: 4, template: 'otp', request_id: '', recipient: '', plan: '[]', state: 'sent' };
    return db('messages').insert({ ...row, channel, tried: JSON.stringify(tried), created_at, expires_at: NOW });
  };
  await insert(NOW - 5, 'SMS', 'My "Twilio" 100%');
  await insert(NOW - 4, 'SMS', 'Vonage', 'My "Twilio" 100%');
  await insert(NOW - 3, 'EMAIL', 'My "Twilio" 100%');
  const through = (provider: string, from = NOW - 9) => store.latestThrough([1, 4], 'SMS', provider, from);
  expect(await through('My "Twilio" 100%')).toBe(NOW - 5);
  expect(await through('My "Twilio" 100%', NOW - 4)).toBe(0);
  expect(await through('Vonage')).toBe(0);
  const statements: string[] = [];
  const collect = ({ sql }: { sql: string }) => void statements.push(sql);
  db.on('query', collect);
  await through('Vonage');
  db.removeListener('query', collect);
  expect(statements).toHaveLength(2);
  for (const sql of statements) expect(sql).toMatch(/^select max\(.*`tried` from `messages` .* limit /);
  await db('messages').where({ application_id: 4 }).delete();
});
