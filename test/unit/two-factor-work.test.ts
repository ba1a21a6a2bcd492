/** Verifying a code runs the same SQL statements and opens as many secrets for an unknown identity as for a known one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyring, random, type Keyring } from '../../backend/src/platform/crypto.js';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import { createInTransaction } from '../../backend/src/platform/db/transaction.js';
import {
  createCodeVerification,
  type CodeVerification,
} from '../../backend/src/modules/twofactor/code-verification.js';
import type { TwoFactorCaller } from '../../backend/src/modules/twofactor/second-factor.js';
import { createTwoFactorStore } from '../../backend/src/modules/twofactor/twofactor-store.js';
import { codeAt } from '../support/authenticator.js';
import { createTestClock } from '../support/clock.js';
import { wrongCode } from '../support/service.js';

const clock = createTestClock();
const dataDir = mkdtempSync(join(tmpdir(), 'passbell-work-'));
let work: string[] = [];
let db: Database;
let verification: CodeVerification;
let known: TwoFactorCaller;
let code: string;

/** Records each call of `open`. */
function recorded(keyring: Keyring): Keyring {
  return { ...keyring, open: (context, sealed) => (work.push('open'), keyring.open(context, sealed)) };
}

const caller = (identity: string): TwoFactorCaller => ({
  application: {} as Application,
  user: { applicationId: 1, identity },
  address: identity,
  source: 'browser',
  sourceHash: 'hash',
  hasUserToken: false,
});
const verifyCode = async (by: TwoFactorCaller, otp: string) => {
  await verification.countGuess(by.user);
  return verification.exclusively(by.user, (trx) => verification.verifyCode(trx, by, { otp }));
};

beforeAll(async () => {
  await migrate({ url: undefined, dataDir });
  db = openDatabase({ url: undefined, dataDir });
  const keyring = recorded(createKeyring([random.hex(32)]));
  const inTransaction = createInTransaction(db);
  verification = createCodeVerification(createTwoFactorStore(db), inTransaction, keyring, clock);
  known = caller('known@example.com');
  const enrolment = await verification.exclusively(known.user, (trx) => verification.enrol(trx, known, undefined));
  code = codeAt(verification.openSecret(known.user, enrolment), clock.now());
  await verifyCode(known, code);
  clock.advance(3_600_000);
  db.on('query', ({ sql }: { sql: string }) => work.push(sql));
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});

it.each([
  ['a wrong code', (by: TwoFactorCaller) => verifyCode(by, wrongCode(code))],
  ['a wrong recovery code', (by: TwoFactorCaller) => verifyCode(by, 'AAAAA-AAAAA')],
  [
    'a wrong code for a change',
    (by: TwoFactorCaller) => verification.ifVerified(by, wrongCode(code), async () => undefined),
  ],
  ['a change without a code', (by: TwoFactorCaller) => verification.ifVerified(by, undefined, async () => undefined)],
])('costs the same for an unknown identity: %s', async (_name, attempt) => {
  const workOf = async (by: TwoFactorCaller) => {
    work = [];
    await expect(attempt(by)).rejects.toThrow(/./);
    return work;
  };
  const ofKnown = await workOf(known);
  expect(ofKnown.length).toBeGreaterThan(3);
  expect(await workOf(caller('unknown@example.com'))).toEqual(ofKnown);
});
