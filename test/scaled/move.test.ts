/** passbell move: from SQLite to MySQL under load, with a kill, and back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { STAGES } from '../../backend/src/platform/move/move-source.js';
import { createTestDatabase, redisUrl, type TestDatabase } from '../support/databases.js';
import { createDataFolder } from '../support/data-folder.js';
import { root, runCommandWith, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { until } from '../support/wait.js';

/** Enough for several steps, between which the move is killed. */
const USERS = 8000;
/** Sends and verifications that are in flight at the same time. */
const CLIENTS = 4;
const SECRET_KEY = 'a key that only tests use and nobody else';

interface Sent {
  readonly to: string;
  readonly maskId: string;
}

const folder = createDataFolder('move');
const dataDir = join(folder, 'data');
const backDir = join(folder, 'back');
let database: TestDatabase;
let smtp: TestSmtpServer;
let mail: Record<string, string>;
let headers: Record<string, string>;
let service: PassbellProcess | undefined;
const token = { value: '', userId: '' };
/** Stops the clients, also after a failed expectation. */
let stopLoad = async (): Promise<void> => {};

beforeAll(async () => {
  [database, smtp] = await Promise.all([createTestDatabase(), startSmtpServer()]);
  mail = { SMTP_URL: smtp.url, MAIL_FROM: 'codes@shop.example', SECRET_KEY };
});
afterAll(async () => {
  await stopLoad();
  await service?.stop('SIGKILL');
  await Promise.all([database.drop(), smtp.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const onSqlite = () => ({ ...mail, DATA_DIR: dataDir, MOVE_DATABASE_URL: database.url });
const onMysql = () => ({ ...mail, DATA_DIR: dataDir, DATABASE_URL: database.url, REDIS_URL: redisUrl() });

async function post(path: string, body: object): Promise<Body> {
  const reply = await fetch(`${service!.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

const codeFor = (to: string) =>
  smtp.received.find(({ envelope }) => envelope.to.includes(to))?.mail.text?.match(/\b\d{6}\b/)?.[0];

async function verify({ to, maskId }: Sent): Promise<Body> {
  const otp = await until(`the code for ${to}`, () => codeFor(to));
  return post('/auth/verifyotp', { maskId, otp });
}

const isReady = async () => (await fetch(`${service!.url}/health/ready`)).status;

const isTokenValid = (): Promise<Body> => post('/auth/verifytoken', { token: token.value });

/** Sends codes and verifies half of them until it is stopped. Records what was accepted, verified and refused. */
function startLoad(sent: Sent[], verified: Sent[], refused: Body[]) {
  let stopped = false;
  const client = async (name: number) => {
    for (let n = 0; !stopped; n++) {
      const to = `load${name}-${n}@example.com`;
      const reply = await post('/auth/sendotp', { to, expiry: 60 });
      if (!reply.success) {
        refused.push(reply);
        continue;
      }
      const one = { to, maskId: reply.data.results[0].maskId };
      const isVerified = n % 2 === 0 && (await verify(one)).success;
      (isVerified ? verified : sent).push(one);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, name) => client(name));
  return async () => {
    stopped = true;
    await Promise.all(clients);
  };
}

async function addUsers(): Promise<void> {
  const db = openDatabase({ url: undefined, dataDir });
  const user = { application_id: 1, identity_type: 'EMAIL', created_at: 1, last_verified_at: Date.now() };
  const users = Array.from({ length: USERS }, (_, n) => ({
    ...user,
    user_id: `usr_${n}`,
    user_application_id: 1000 + n,
    identity: `stored${n}@example.com`,
  }));
  await db.batchInsert('users', users, 500);
  // The target must not give the ID of a deleted user to another one.
  await db('users')
    .where({ user_id: `usr_${USERS - 1}` })
    .delete();
  await db.destroy();
}

/** Starts the move, and kills it once `isDue` returns a value. */
async function killMove<T>(args: readonly string[], isDue: () => Promise<T>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts/passbell.mjs'), 'move', ...args], {
    env: { PATH, HOME, PASSBELL_SERVERS: '', ...onSqlite() },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const value = await until('the time to kill the move', isDue);
  child.kill('SIGKILL');
  await exit;
  return value;
}

/** Kills the move after it has copied a part of the users. */
async function killCopy(): Promise<number> {
  const target = openDatabase({ url: database.url, dataDir: '' });
  const copied = await killMove([], async () => {
    if (!(await target.schema.hasTable('move_progress'))) return undefined;
    return (await target('move_progress').where({ name: 'users' }).first())?.total as number | undefined;
  });
  await target.destroy();
  return copied;
}

/** Kills the end of the move when changes are rejected. A locked table of the new database stops it there. */
async function killEnd(): Promise<void> {
  const source = openDatabase({ url: undefined, dataDir });
  const target = openDatabase({ url: database.url, dataDir: '', noTimeouts: true });
  const trx = await target.transaction();
  await trx.raw('lock tables passkeys write');
  await killMove(['--finish'], async () => (await source('move_stage').first()).stage === STAGES.closed);
  await trx.raw('unlock tables');
  await trx.rollback();
  await Promise.all([source.destroy(), target.destroy()]);
}

it('moves to MySQL under load: every accepted code verifies there, and tokens stay valid', async () => {
  service = await startProcess(onSqlite());
  const [, appKey, appSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  headers = { clientId: appKey!, clientSecret: appSecret!, 'Content-Type': 'application/json' };
  await runCommandWith(onSqlite(), 'app', 'update', appKey!, '--burst-per-second', '0', '--burst-per-minute', '0');
  await addUsers();
  const first = await post('/auth/sendotp', { to: 'first@example.com' });
  const login = await verify({ to: 'first@example.com', maskId: first.data.results[0].maskId });
  Object.assign(token, { value: login.data.token, userId: login.data.user.userId });

  const sent: Sent[] = [];
  const verified: Sent[] = [];
  const refused: Body[] = [];
  stopLoad = startLoad(sent, verified, refused);
  expect(await killCopy()).toBeLessThan(USERS);
  const incomplete = await runCommandWith(onMysql(), 'app', 'list').catch(({ message }: Error) => message);
  expect(incomplete).toContain('a move to this database is not complete');

  expect(await runCommandWith(onSqlite(), 'move')).toContain('complete the move with --finish');
  const before = sent.length;
  await until('sends after the copy', () => sent.length > before + CLIENTS);
  expect([refused, await isReady()]).toEqual([[], 200]);
  await killEnd();
  await until('a refused send', () => refused.length > 0);
  expect(await isReady()).toBe(503);
  const output = await runCommandWith(onSqlite(), 'move', '--finish');
  expect(output).toMatch(/Moved \d+ rows of \d+ tables/);
  expect(output).not.toContain(new URL(database.url).password || 'no password');
  await stopLoad();
  expect(refused.at(-1)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
  expect(await isReady()).toBe(503);
  expect(await service.stop('SIGTERM')).toBe(0);
  await expect(runCommandWith(onSqlite(), 'app', 'list')).rejects.toThrow('the data was moved away');
  expect(await runCommandWith(onSqlite(), 'move', '--finish')).toContain('The move is complete.');

  service = await startProcess(onMysql());
  expect(await isReady()).toBe(200);
  expect(await isTokenValid()).toMatchObject({ success: true, data: { userId: token.userId } });
  for (const one of sent) expect([one.to, (await verify(one)).message]).toEqual([one.to, 'verified']);
  for (const one of verified) expect([one.to, (await verify(one)).success]).toEqual([one.to, false]);
  const db = openDatabase({ url: database.url, dataDir: '' });
  const ids: number[] = await db('users')
    .where('identity', 'like', 'load%')
    .orWhere('identity', 'like', 'first%')
    .pluck('id');
  expect(ids.length).toBe(sent.length + verified.length + 1);
  expect(await db('users').where({ id: USERS }).first()).toBeUndefined();
  await db.destroy();
});

it('moves back to SQLite', async () => {
  expect(await runCommandWith(onMysql(), 'move', backDir, '--finish')).toContain(`DATA_DIR=${backDir}`);
  expect(await isReady()).toBe(503);
  await service!.stop('SIGTERM');
  service = await startProcess({ ...mail, DATA_DIR: backDir });
  expect(await isTokenValid()).toMatchObject({ success: true, data: { userId: token.userId } });
});

it('can be canceled; another move then needs an empty database', async () => {
  await runCommandWith(onMysql(), 'move', backDir, '--cancel');
  await service!.stop('SIGTERM');
  service = await startProcess(onMysql());
  const reply = await post('/auth/sendotp', { to: 'last@example.com' });
  expect([reply.success, await isReady()]).toEqual([true, 200]);

  const otherDir = join(folder, 'other');
  await runCommandWith(onMysql(), 'move', otherDir);
  await runCommandWith(onMysql(), 'move', otherDir, '--cancel');
  await expect(runCommandWith(onMysql(), 'move', otherDir)).rejects.toThrow('rows of a move that was canceled');
  await expect(runCommandWith(onMysql(), 'move', backDir)).rejects.toThrow('already contains data');
});
