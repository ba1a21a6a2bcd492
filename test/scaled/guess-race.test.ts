/** Guesses from many processes at one time, each with connections of its own: the rows alone keep them apart. */
import { createKeyring, random, sha256 } from '../../backend/src/platform/crypto.js';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import { ApiError } from '../../backend/src/platform/contract/errors.js';
import { DEFAULT_LIMITS } from '../../backend/src/platform/limits.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import type { Proof } from '../../backend/src/modules/otp/proofs.js';
import { codePurpose } from '../../backend/src/modules/otp/code.js';
import { createOtpStore } from '../../backend/src/modules/otp/otp-store.js';
import { createVerifyOtp, type VerifyOtp } from '../../backend/src/modules/otp/verify-service.js';
import type { SessionsService } from '../../backend/src/modules/sessions/sessions-service.js';
import type { Announcements } from '../../backend/src/modules/webhooks/announcements.js';
import { createTestClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

const PROCESSES = 10;
const CODE = '123456';
const clock = createTestClock();
const keyring = createKeyring([random.hex(32)]);
const application = { id: 1, settings: { limits: DEFAULT_LIMITS } } as unknown as Application;

let database: TestDatabase;
let connections: Database[];
let processes: VerifyOtp[];

/** What happens after the judgement is not what is looked at here. */
const nothingElse = {
  proofsOf: async (_trx: unknown, verified: readonly unknown[]) => verified.map(() => ({ user: {} }) as Proof),
  announcements: { toldOfVerified: async () => [], ofVerified: () => [] } as unknown as Announcements,
  sessions: {
    signingKey: async () => ({}),
    issue: async () => ({}),
  } as unknown as SessionsService,
};

beforeAll(async () => {
  database = await createTestDatabase();
  connections = Array.from({ length: PROCESSES }, () => openDatabase({ url: database.url, dataDir: '' }));
  await migrate({ url: database.url, dataDir: '' });
  processes = connections.map((db) => createVerifyOtp({ store: createOtpStore(db), keyring, clock, ...nothingElse }));
});
afterAll(async () => {
  await Promise.all(connections.map((db) => db.destroy()));
  await database.drop();
});

/** Live sessions of one new recipient. */
async function sessions(count: number): Promise<string[]> {
  const recipient = `${random.hex(8)}@example.com`;
  const maskIds = Array.from({ length: count }, () => random.hex(16));
  const { write } = createOtpStore(connections[0]!);
  await createWriter(connections[0]!)(
    maskIds.map((maskId) =>
      write({
        maskId,
        applicationId: application.id,
        recipient,
        recipientKey: sha256(recipient),
        channel: 'EMAIL',
        codeHash: keyring.mac(codePurpose(maskId), CODE),
        codeLength: CODE.length,
        messageId: null,
        createdAt: clock.now(),
        expiresAt: clock.now() + 3_600_000,
      }),
    ),
  );
  return maskIds;
}

/** How many guesses ended how; they come to all processes at one time. */
async function judged(guesses: readonly { maskId: string; otp: string }[]): Promise<Record<string, number>> {
  const ends = await Promise.all(
    guesses.map((guess, n) =>
      processes[n % PROCESSES]!(application, guess).then(
        () => 'right',
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      ),
    ),
  );
  const counts: Record<string, number> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
}
const wrong = (n: number): string => String(200_000 + n);

it('judges five of 100 wrong codes on one session', async () => {
  const [maskId] = await sessions(1);
  const guesses = Array.from({ length: 100 }, (_, n) => ({ maskId: maskId!, otp: wrong(n) }));
  expect(await judged(guesses)).toEqual({ INVALID_OTP: 5, OTP_LOCKED: 95 });
});

it('judges twenty of 120 wrong codes over ten sessions of one recipient', async () => {
  const ten = await sessions(10);
  const guesses = Array.from({ length: 120 }, (_, n) => ({ maskId: ten[n % 10]!, otp: wrong(n) }));
  expect(await judged(guesses)).toEqual({ INVALID_OTP: 20, OTP_LOCKED: 100 });
});

it('lets one of 50 right codes win', async () => {
  const [maskId] = await sessions(1);
  const guesses = Array.from({ length: 50 }, () => ({ maskId: maskId!, otp: CODE }));
  expect(await judged(guesses)).toEqual({ right: 1, INVALID_OTP: 49 });
});

it('lets one session of a recipient win when the codes of ten come at one time', async () => {
  const guesses = (await sessions(10)).map((maskId) => ({ maskId, otp: CODE }));
  expect(await judged(guesses)).toEqual({ right: 1, INVALID_OTP: 9 });
});

it('finds a right code among 100 guesses at one time no more often than in five guesses', async () => {
  let found = 0;
  for (let round = 0; round < 10; round++) {
    const [maskId] = await sessions(1);
    // The right one comes last in every process: five wrong ones have locked the session by then.
    const guesses = Array.from({ length: 100 }, (_, n) => ({ maskId: maskId!, otp: n < 90 ? wrong(n) : CODE }));
    found += (await judged(guesses)).right ?? 0;
  }
  expect(found).toBe(0);
});
