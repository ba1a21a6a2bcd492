/**
 * Verifying a code runs the same SQL statements and decrypts the same number of secrets for known and unknown
 * identities.
 */
import { rmSync } from 'node:fs';
import { createKeyring, random, type Keyring } from '../../backend/src/platform/crypto.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import { createInTransaction } from '../../backend/src/platform/db/transaction.js';
import {
  createCodeVerification,
  type CodeVerification,
} from '../../backend/src/modules/twofactor/code-verification.js';
import { createEnroll } from '../../backend/src/modules/twofactor/enroll.js';
import { createFactorSecrets } from '../../backend/src/modules/twofactor/factor-secrets.js';
import { createFailuresStore } from '../../backend/src/modules/twofactor/failures-store.js';
import { createGuessLimits, type GuessLimits } from '../../backend/src/modules/twofactor/guess-limits.js';
import type { TwoFactorCaller } from '../../backend/src/modules/twofactor/second-factor.js';
import { createTwoFactorStore } from '../../backend/src/modules/twofactor/twofactor-store.js';
import { codeAt } from '../support/authenticator.js';
import { createTestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { wrongCode } from '../support/service.js';

const clock = createTestClock();
const dataDir = createDataFolder('work');
let work: string[] = [];
let db: Database;
let limits: GuessLimits;
let verification: CodeVerification;
let known: TwoFactorCaller;
let code: string;

/** Wraps a keyring to record each call of `open`. */
function recordOpens(keyring: Keyring): Keyring {
  return { ...keyring, open: (context, sealed) => (work.push('open'), keyring.open(context, sealed)) };
}

const caller = (identity: string): TwoFactorCaller => ({
  application: {} as Application,
  user: { applicationId: 1, identity },
  address: identity,
  browser: 'browser',
  browserHash: 'hash of the browser',
  sourceHash: 'hash of the address',
  hasUserToken: false,
  tokenReplacesCode: false,
});
/** Returns a caller with a different browser from the enrolled user. */
const callerFromOtherBrowser = (identity: string): TwoFactorCaller => ({
  ...caller(identity),
  browser: 'another browser',
  browserHash: 'hash of another browser',
});
const verifyCode = async (by: TwoFactorCaller, otp: string) => {
  const guess = await verification.countGuess(by, { otp });
  return limits.exclusively(by.user, (trx) => verification.verifyCode(trx, by, guess));
};

beforeAll(async () => {
  await migrate({ url: undefined, dataDir });
  db = openDatabase({ url: undefined, dataDir });
  const keyring = recordOpens(createKeyring([random.hex(32)]));
  limits = createGuessLimits(createFailuresStore(db), createInTransaction(db), keyring, clock);
  const store = createTwoFactorStore(db);
  const secrets = createFactorSecrets(keyring);
  verification = createCodeVerification(store, limits, secrets, keyring, clock);
  const enroll = createEnroll(store, secrets, clock);
  known = caller('known@example.com');
  const enrollment = await limits.exclusively(known.user, (trx) => enroll(trx, known, { replaced: undefined }));
  code = codeAt(secrets.openSecret(known.user, enrollment), clock.now());
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
])('does the same work for known and unknown identities: %s', async (_name, attempt) => {
  const workOf = async (by: TwoFactorCaller) => {
    work = [];
    await expect(attempt(by)).rejects.toThrow(/./);
    return work;
  };
  const ofKnown = await workOf(callerFromOtherBrowser(known.user.identity));
  expect(ofKnown.length).toBeGreaterThan(3);
  expect(await workOf(callerFromOtherBrowser('unknown@example.com'))).toEqual(ofKnown);
});
