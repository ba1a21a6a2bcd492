/** Upgrades: this version starts on a database that commit b71cf65 has created and filled. */
import { rmSync } from 'node:fs';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, MINUTE, startOfDay } from '../../backend/src/platform/clock.js';
import { openDatabase, type Database, type DatabaseLocation } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { allRows } from '../support/all-rows.js';
import { codeAt, createPage, OTHER_BROWSER, STEP } from '../support/authenticator.js';
import { createTestClock } from '../support/clock.js';
import { acceptInvitation, createVisitor, waitForMailedCode } from '../support/dashboard.js';
import { createDataFolder } from '../support/data-folder.js';
import { createTestDatabase } from '../support/databases.js';
import { createEarlierDatabase, KNOWN, SECRET_KEY } from '../support/earlier-database.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { SEEN_MS } from '../support/guarded-service.js';
import { databaseNameOf, scaled } from '../support/members.js';
import { schemaOf } from '../support/schema.js';
import { startService, type Body, type TestService } from '../support/service.js';
import { createShops } from '../support/shops.js';
import { advancing, until } from '../support/wait.js';

describe('the migrations', () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = createDataFolder('upgrade')));
  afterEach(async () => {
    if (scaled) await (await createTestDatabase(undefined, databaseNameOf(dataDir))).drop();
    rmSync(dataDir, { recursive: true });
  });

  async function on<T>(location: DatabaseLocation, work: (db: Database) => Promise<T>): Promise<T> {
    const db = openDatabase(location);
    return work(db).finally(() => db.destroy());
  }

  async function schemaOfNewDatabase(): Promise<string[]> {
    const database = scaled ? await createTestDatabase() : undefined;
    const location = { dataDir: createDataFolder('new'), url: database?.url };
    await migrate(location);
    const schema = await on(location, schemaOf);
    await database?.drop();
    rmSync(location.dataDir, { recursive: true });
    return schema;
  }

  /** Without a table that is no longer used, and the default of a column that is always set: the time of an upgrade. */
  const comparable = (schema: readonly string[]): string[] =>
    schema
      .filter((line) => !line.includes('dismissed_notices'))
      .map((line) => (line.startsWith('column | users | last_verified_at') ? line.replace(/'?\d{13}'?/, '') : line));

  async function parsedRows(db: Database): Promise<Record<string, object[]>> {
    // SQLite stores the last ids in a table.
    const rows = Object.entries(await allRows(db)).filter(([table]) => table !== 'sqlite_sequence');
    return Object.fromEntries(rows.map(([table, json]) => [table, JSON.parse(json)]));
  }

  // Later migrations may add tables and columns.
  it('keep the tables and rows of commit b71cf65, and lead to the tables of a new database', async () => {
    const location = await createEarlierDatabase(dataDir);
    const [schema, rows] = await on(location, async (db) => [await schemaOf(db), await parsedRows(db)] as const);
    await migrate(location);
    const [newSchema, newRows] = await on(location, async (db) => [await schemaOf(db), await parsedRows(db)] as const);
    expect(newSchema).toEqual(expect.arrayContaining(schema));
    const { passbell_migrations: recorded, ...others } = rows;
    expect(newRows).toMatchObject(others);
    expect(newRows.passbell_migrations!.slice(0, recorded!.length)).toEqual(recorded);
    expect(comparable(newSchema)).toEqual(comparable(await schemaOfNewDatabase()));
    expect(schema.length).toBeGreaterThan(500);
  });

  it('copy the daily budget of the fraud guard to the limits, and keep it for old processes', async () => {
    const location = await createEarlierDatabase(dataDir);
    const stored = { limits: { burstPerSecond: 3 }, fraud: { spendBudget: 25, homeExcess: 40 } };
    const text = JSON.stringify(stored);
    await on(location, async (db) => {
      await db('applications').update({ settings: text });
      await db('accounts').update({ ceilings: text });
    });
    await migrate(location);
    await on(location, async (db) => {
      const texts = [...(await db('applications').pluck('settings')), ...(await db('accounts').pluck('ceilings'))];
      expect(texts.length).toBeGreaterThan(1);
      for (const one of texts)
        expect(JSON.parse(one)).toEqual({ ...stored, limits: { burstPerSecond: 3, budgetPerDay: 25 } });
    });
  });

  it("carry over the fraud guard's conversions, recipients, and what people paused or allowed", async () => {
    const location = await createEarlierDatabase(dataDir);
    const now = Date.now();
    const scope = { application_id: 2, level: 1, paused_at: now, evidence: '{"from":0,"sent":0,"verified":0}' };
    const states = [
      { scope: 'prefix', scope_key: '+1', rule: 'R3', paused_until: now + DAY, allowed_until: 0 },
      { scope: 'country', scope_key: 'FR', rule: 'R4', paused_until: null, allowed_until: 1 },
      { scope: 'application', scope_key: '', rule: 'R6', paused_until: now + DAY, allowed_until: 0 },
      { scope: 'prefix', scope_key: '+2', rule: 'R3', paused_until: now, allowed_until: -1 },
      { scope: 'country', scope_key: 'GB', rule: 'R4', paused_until: now, allowed_until: now + DAY },
      { scope: 'country', scope_key: 'DE', rule: 'person', paused_until: 0, allowed_until: now + DAY },
    ];
    const day = { application_id: 2, dimension: 'country', size: 'day', sent: 8, verified: 5, spend: 0 };
    const notice = { application_id: 2, created_at: now, mailed_at: null };
    await on(location, async (db) => {
      await db('fraud_scopes').insert(states.map((state) => ({ ...scope, established: false, ...state })));
      await db('fraud_counters').insert([
        { ...day, counter_key: 'GB', start: startOfDay(now) },
        { ...day, counter_key: '', start: startOfDay(now) },
        { ...day, counter_key: 'GB', start: startOfDay(now) - 20 * DAY },
      ]);
      await db('fraud_notices').insert([
        { ...notice, notice_key: 'a', kind: 'pause', body: '{"data":{"rule":"R3"}}' },
        { ...notice, notice_key: 'b', kind: 'spend', body: '{"share":0.5}' },
      ]);
    });
    await migrate(location);
    await on(location, async (db) => {
      const days = await db('fraud_days').orderBy('day').orderBy('country').select('country', 'sent', 'verified');
      expect(days).toEqual([
        { country: '', sent: 8, verified: 5 },
        { country: 'GB', sent: 8, verified: 5 },
        { country: 'US', sent: 6, verified: 2 },
      ]);
      const kept: string[] = await db('fraud_scopes').orderBy('id').pluck('scope_key');
      expect(kept).toEqual(['CA', '+2', 'GB', 'DE']);
      const recipients = await db('fraud_recipients').whereNotNull('verified_at');
      expect(recipients).toMatchObject(Array(2).fill({ unverified: 0, streak: 0, sent_at: 0 }));
      // Their texts are about rules that no longer exist.
      expect(await db('fraud_notices').whereNull('mailed_at')).toEqual([]);
      expect(await db('fraud_notices')).toHaveLength(3);
    });
  });

  it('do not run the baseline if the table of early versions records it', async () => {
    const location = await createEarlierDatabase(dataDir);
    await on(location, (db) => db.schema.renameTable('passbell_migrations', 'knex_migrations'));
    const schema = await on(location, schemaOf);
    await migrate(location);
    expect(await on(location, schemaOf)).toEqual(expect.arrayContaining(schema));
    expect(await on(location, (db) => db('passbell_migrations').pluck('name'))).not.toContain('0030-settings-version');
  });

  it.each(['passbell_migrations', 'knex_migrations'])(
    'refuse a database of an earlier version, and name the version to start first: %s',
    async (table) => {
      const location = await createEarlierDatabase(dataDir);
      await on(location, async (db) => {
        await db('passbell_migrations').where({ name: '0030-settings-version' }).delete();
        if (table === 'passbell_migrations') return;
        await db.schema.renameTable('passbell_migrations', table);
        await db.schema.dropTable('passbell_migrations_lock');
      });
      const rows = await on(location, allRows);
      const refusal = /early version of Passbell.*start commit b71cf65 on it once.*docs\/upgrading\.md/;
      await expect(migrate(location)).rejects.toThrow(refusal);
      expect(await on(location, allRows)).toEqual(rows);
    },
  );
});

describe('the service', () => {
  const { keys, email, twoFactor, shop } = KNOWN;
  let gateway: GatewayServer;
  let passbell: TestService;
  beforeAll(async () => {
    gateway = await startGatewayServer();
    const dataDir = createDataFolder('upgrade');
    await createEarlierDatabase(dataDir, gateway.url);
    passbell = await startService({ SECRET_KEY }, { dataDir, keys, clock: createTestClock(KNOWN.now) });
  });
  afterAll(async () => {
    await passbell.stop();
    await gateway.close();
  });

  it('keeps using the providers, which count as verified', async () => {
    const db = passbell.openDatabase();
    const stored = await db('providers');
    await db.destroy();
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.map(({ verified_at: time }) => time)).toEqual(stored.map(({ created_at: time }) => time));
  });

  const verify = (maskId: string, otp: string): Promise<Body> => passbell.post('/auth/verifyotp', { maskId, otp });
  const verifyToken = (token: string): Promise<Body> => passbell.post('/auth/verifytoken', { token });
  const message = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`)).data;

  it('shows the same counts, messages and settings', async () => {
    const { data } = await passbell.get('/usage', { from: '2027-01-01', to: '2027-01-31' });
    expect(data.usage).toEqual(KNOWN.usage);
    expect(await message(KNOWN.failedMessageId)).toMatchObject({
      state: 'failed',
      attempts: [{ provider: 'Local SMS', success: false, message: 'the gateway rejected the message (400)' }],
    });
    const { data: failed } = await passbell.get('/messages', { state: 'failed' });
    expect(failed.messages.map((one: Body) => one.messageId)).toEqual([KNOWN.failedMessageId]);
    const { settings } = await passbell.core.applications.service.load(keys.appKey);
    expect(settings).toMatchObject({ language: 'de', limits: { cooldownSeconds: 10, sendsPerDay: 40 } });
  });

  it('verifies a code once, and delivers a message that waited for a retry', async () => {
    const { maskId, code } = KNOWN.liveCode;
    expect(await verify(maskId, code)).toMatchObject({ success: true, data: { user: { userApplicationId: 4 } } });
    expect(await verify(maskId, code)).toMatchObject({ success: false });
    const { maskId: waiting, messageId } = KNOWN.waitingMessage;
    const isSent = async () => (await message(messageId)).state === 'sent';
    await until('the delivery', isSent, advancing(passbell.clock, 500));
    expect(gateway.requests.at(-1)!.headers.authorization).toBe('Bearer gateway-secret-4711');
    expect(gateway.requests.at(-1)!.body).toContain('ist Ihr Code.');
    expect(await verify(waiting, findCode(gateway))).toMatchObject({ success: true });
  });

  it('accepts tokens that were not revoked, and repeats the reply to an Idempotency-Key', async () => {
    expect(await verifyToken(KNOWN.token)).toMatchObject({ success: true });
    expect(await verifyToken(KNOWN.revokedToken)).toMatchObject({ code: 'TOKEN_REVOKED' });
    const { body, key, reply } = KNOWN.repeatedSend;
    expect(await passbell.post('/auth/sendotp', body, { headers: { 'Idempotency-Key': key } })).toEqual(reply);
  });

  it('keeps second factors, pauses of the fraud guard, and webhooks with their events', async () => {
    const page = createPage(passbell, twoFactor.identity, { browser: OTHER_BROWSER });
    expect(await page.state()).toBe(true);
    passbell.clock.advance(STEP);
    expect(await page.verify(codeAt(twoFactor.manualKey, passbell.clock.now()))).toMatchObject({ success: true });
    expect(await page.verify(twoFactor.recoveryCode)).toMatchObject({ success: true });
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, { settings: { countries: [] } });
    passbell.clock.advance(SEEN_MS);
    expect(await passbell.post('/auth/sendotp', { to: '+16135550110' })).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    const { data } = await passbell.get('/webhooks');
    expect(data.webhooks).toMatchObject([{ webhookId: KNOWN.webhookId, url: 'https://books.example/events' }]);
  });

  it('keeps people signed in, and signs in others with a code, a link or an invitation', async () => {
    const person = createVisitor(passbell.url, undefined, KNOWN.session);
    expect((await person.get('/account')).html).toContain('Harbor Books Ltd. <span class="quiet">(owner)</span>');
    const visitor = createVisitor(passbell.url);
    await visitor.submit('/sign-in', '/sign-in', { email });
    const code = await waitForMailedCode(passbell, email);
    const home = { status: 303, location: '/dashboard/home' };
    expect(await visitor.submit('/sign-in/code', '/sign-in/code', { code })).toMatchObject(home);
    const other = createVisitor(passbell.url);
    await other.follow(await other.get(`/sign-in/link?key=${KNOWN.signInLink}`));
    expect(await other.submit('/sign-in/link', '/sign-in/link')).toMatchObject(home);
    const { reply } = await acceptInvitation(passbell, `/start?key=${KNOWN.invitation}`, 'clerk@books.example');
    expect(reply).toMatchObject(home);
  });

  it('sends the messages of new shop orders only, and restores a deleted application', async () => {
    const shops = createShops(passbell, createVisitor(passbell.url, undefined, KNOWN.session));
    const paid = { date_paid_gmt: new Date(passbell.clock.now()).toISOString().slice(0, 19) };
    const before = gateway.requests.length;
    for (const order of [shop.order, shop.order + 1]) {
      passbell.clock.advance(MINUTE);
      expect(await shops.post(shop, shops.woo(shop, order, paid))).toMatchObject({ status: 200 });
      await shops.handled(shop);
    }
    expect(gateway.requests.slice(before)).toEqual([
      expect.objectContaining({ body: expect.stringContaining(`${shop.order + 1}`) }),
    ]);
    const { applications } = passbell.core;
    expect(await applications.service.restore(OPERATOR, KNOWN.deletedAppKey)).toBe(true);
    expect(await applications.service.load(KNOWN.deletedAppKey)).toMatchObject({ name: 'Closed shop', deleteAt: null });
  });
});
