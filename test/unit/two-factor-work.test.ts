/** Judging a code costs the same for an identity that nobody knows: the statements and the sealed secrets it takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyring, random, type Keyring } from '../../backend/src/platform/crypto.js';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import { createGuessesStore, type GuessesStore } from '../../backend/src/modules/twofactor/guesses-store.js';
import { createProofs, type Proofs } from '../../backend/src/modules/twofactor/proofs.js';
import type { Caller } from '../../backend/src/modules/twofactor/subject.js';
import { createTwoFactorStore } from '../../backend/src/modules/twofactor/twofactor-store.js';
import { codeAt } from '../support/authenticator.js';
import { createTestClock } from '../support/clock.js';
import { wrongCode } from '../support/service.js';

const clock = createTestClock();
const dataDir = mkdtempSync(join(tmpdir(), 'passbell-work-'));
let work: string[] = [];
let db: Database;
let guesses: GuessesStore;
let proofs: Proofs;
let known: Caller;
let code: string;

/** The real one, which writes down what it opens. */
function watched(keyring: Keyring): Keyring {
  return { ...keyring, open: (context, sealed) => (work.push('open'), keyring.open(context, sealed)) };
}

const caller = (identity: string): Caller => ({
  application: {} as Application,
  subject: { applicationId: 1, identity },
  address: identity,
  source: 'browser',
  client: 'client',
  vouched: false,
});
const redeem = async (who: Caller, otp: string) => {
  await proofs.countGuess(who.subject);
  return guesses.exclusively(who.subject, clock.now(), (trx) => proofs.redeem(trx, who, { otp }));
};

beforeAll(async () => {
  await migrate({ url: undefined, dataDir });
  db = openDatabase({ url: undefined, dataDir });
  guesses = createGuessesStore(db);
  const keyring = watched(createKeyring([random.hex(32)]));
  proofs = createProofs({ store: createTwoFactorStore(db), guesses, keyring, clock });
  known = caller('known@example.com');
  const enrolment = await guesses.exclusively(known.subject, clock.now(), (trx) => proofs.enrol(trx, known, undefined));
  code = codeAt(proofs.secretOf(known.subject, enrolment), clock.now());
  await redeem(known, code);
  clock.advance(3_600_000);
  db.on('query', ({ sql }: { sql: string }) => work.push(sql));
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});

it.each([
  ['a wrong code', (who: Caller) => redeem(who, wrongCode(code))],
  ['a recovery code', (who: Caller) => redeem(who, 'AAAAA-AAAAA')],
  ['a code as a proof', (who: Caller) => proofs.proven(who, wrongCode(code), async () => undefined)],
  ['no proof', (who: Caller) => proofs.proven(who, undefined, async () => undefined)],
])('%s', async (_name, judge) => {
  const workOf = async (who: Caller) => {
    work = [];
    await expect(judge(who)).rejects.toThrow(/./);
    return work;
  };
  const ofKnown = await workOf(known);
  expect(ofKnown.length).toBeGreaterThan(3);
  expect(await workOf(caller('unknown@example.com'))).toEqual(ofKnown);
});
