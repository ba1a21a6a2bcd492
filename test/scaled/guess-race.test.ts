/** Parallel guesses from many processes, each with its own connections: only row locks serialize them. */
import type { Knex } from 'knex';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { createKeyring, random, sha256 } from '../../backend/src/platform/crypto.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createInTransaction, createWriter } from '../../backend/src/platform/db/transaction.js';
import { ApiError } from '../../backend/src/platform/contract/errors.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import { codeContext } from '../../backend/src/modules/otp/otp-code.js';
import type { VerifiedUser } from '../../backend/src/modules/otp/verified-users.js';
import { createOtpStore } from '../../backend/src/modules/otp/otp-store.js';
import {
  createVerifyService,
  type VerifyOptions,
  type VerifyService,
} from '../../backend/src/modules/otp/verify-service.js';
import type { SessionsService } from '../../backend/src/modules/sessions/sessions-service.js';
import { createTestClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

const PROCESSES = 10;
const CODE = '123456';
const clock = createTestClock();
const keyring = createKeyring([random.hex(32)]);
const application = { id: 1, settings: { limits: DEFAULT_LIMITS, testRecipients: {} } } as unknown as Application;

let database: TestDatabase;
let connections: Database[];
let processes: VerifyService[];
/** Replaces the steps that follow the code check, which are not tested here. */
const stubbedSteps = {
  messages: { settle: async () => new Map() },
  findVerifiedUsers: async (_trx: unknown, verified: readonly unknown[]) =>
    verified.map(() => ({ user: {}, channel: 'EMAIL' }) as VerifiedUser),
  endCooldown: async () => undefined,
  fraud: { countVerified: async () => undefined },
  // Rows, because a transaction may be rolled back and repeated.
  outbox: {
    publish: async (trx: Knex, events: readonly unknown[]) => {
      if (events.length > 0) await trx('published').insert(events.map(() => ({})));
    },
  },
  sessions: {
    signingKey: async () => ({}),
    issue: async () => ({}),
  } as unknown as SessionsService,
};

beforeAll(async () => {
  database = await createTestDatabase();
  connections = Array.from({ length: PROCESSES }, () => openDatabase({ url: database.url, dataDir: '' }));
  await migrate({ url: database.url, dataDir: '' });
  await connections[0]!.schema.createTable('published', (table) => table.increments());
  processes = connections.map((db) =>
    createVerifyService({
      store: createOtpStore(db),
      inTransaction: createInTransaction(db),
      keyring,
      clock,
      ...stubbedSteps,
    }),
  );
});
afterAll(async () => {
  await Promise.all(connections.map((db) => db.destroy()));
  await database.drop();
});

/** Creates `count` codes for a new recipient, and returns their ids. */
async function createCodes(count: number): Promise<string[]> {
  const recipient = `${random.hex(8)}@example.com`;
  const maskIds = Array.from({ length: count }, () => random.hex(16));
  const { insertRow } = createOtpStore(connections[0]!);
  await createWriter(connections[0]!)(
    maskIds.map((maskId) =>
      insertRow({
        maskId,
        applicationId: application.id,
        recipient,
        recipientKey: sha256(recipient),
        channel: 'EMAIL',
        codeHash: keyring.mac(codeContext(maskId), CODE),
        codeLength: CODE.length,
        codeSpace: 10 ** CODE.length,
        messageId: null,
        reference: null,
        createdAt: clock.now(),
        expiresAt: clock.now() + 3_600_000,
      }),
    ),
  );
  return maskIds;
}

/** Sends the guesses to all processes in parallel, and counts the outcomes. */
async function guessAll(
  guesses: readonly { maskId?: string; to?: string; otp: string }[],
  options: VerifyOptions = {},
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    guesses.map((guess, n) =>
      processes[n % PROCESSES]!.verify(application, guess, options).then(
        () => 'right',
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      ),
    ),
  );
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
const wrongCode = (n: number): string => String(200_000 + n);

it('checks five of 100 parallel wrong guesses for one code', async () => {
  const [maskId] = await createCodes(1);
  const guesses = Array.from({ length: 100 }, (_, n) => ({ maskId: maskId!, otp: wrongCode(n) }));
  expect(await guessAll(guesses)).toEqual({ INVALID_OTP: 5, OTP_LOCKED: 95 });
});

it('counts 100 parallel guesses with the same wrong code once', async () => {
  const [maskId] = await createCodes(1);
  const guesses = Array.from({ length: 100 }, () => ({ maskId: maskId!, otp: wrongCode(0) }));
  expect(await guessAll(guesses)).toEqual({ INVALID_OTP: 100 });
  const others = Array.from({ length: 10 }, (_, n) => ({ maskId: maskId!, otp: wrongCode(n + 1) }));
  expect(await guessAll(others)).toEqual({ INVALID_OTP: 4, OTP_LOCKED: 6 });
});

it('checks twenty of 120 parallel wrong guesses for ten codes of one recipient', async () => {
  const ten = await createCodes(10);
  const guesses = Array.from({ length: 120 }, (_, n) => ({ maskId: ten[n % 10]!, otp: wrongCode(n) }));
  expect(await guessAll(guesses)).toEqual({ INVALID_OTP: 20, OTP_LOCKED: 100 });
});

it('accepts one of 50 parallel correct codes', async () => {
  const [maskId] = await createCodes(1);
  const guesses = Array.from({ length: 50 }, () => ({ maskId: maskId!, otp: CODE }));
  expect(await guessAll(guesses)).toEqual({ right: 1, INVALID_OTP: 49 });
});

it('returns the result of one correct code to 50 parallel repetitions with the same Idempotency-Key', async () => {
  const [maskId] = await createCodes(1);
  const guesses = Array.from({ length: 50 }, () => ({ maskId: maskId!, otp: CODE }));
  await connections[0]!('published').delete();
  expect(await guessAll(guesses, { idempotencyKey: 'once' })).toEqual({ right: 50 });
  expect(await connections[0]!('published').select()).toHaveLength(1);
});

it('limits 100 parallel guesses for a recipient without a code in the same way as guesses for a code', async () => {
  const to = `${random.hex(8)}@example.com`;
  const guesses = Array.from({ length: 100 }, (_, n) => ({ to, otp: wrongCode(n) }));
  expect(await guessAll(guesses)).toEqual({ INVALID_OTP: 5, OTP_LOCKED: 95 });
});

it('accepts one of ten parallel correct guesses for ten codes of one recipient', async () => {
  const guesses = (await createCodes(10)).map((maskId) => ({ maskId, otp: CODE }));
  expect(await guessAll(guesses)).toEqual({ right: 1, INVALID_OTP: 9 });
});

it('rejects a correct code after five parallel wrong codes', async () => {
  let found = 0;
  for (let round = 0; round < 10; round++) {
    const [maskId] = await createCodes(1);
    // Every process gets the correct code last, when five wrong codes have already locked it.
    const guesses = Array.from({ length: 100 }, (_, n) => ({ maskId: maskId!, otp: n < 90 ? wrongCode(n) : CODE }));
    found += (await guessAll(guesses)).right ?? 0;
  }
  expect(found).toBe(0);
});
