/** The worst case of parallel guesses: all of them have read the session before the first one is counted. */
import { openDatabase, type Database } from '../../backend/src/db/database.js';
import { DEFAULT_LIMITS } from '../../backend/src/limits.js';
import { createOtpStore, type FoundSession, type OtpStore } from '../../backend/src/modules/otp/otp-store.js';
import { freshPhone, NO_SEND_LIMITS, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let db: Database;
let store: OtpStore;
beforeAll(async () => {
  passbell = await startService();
  db = openDatabase({ url: undefined, dataDir: passbell.dataDir });
  store = createOtpStore(db);
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
});

/** Sessions of one recipient, as a guess finds them. */
async function sessions(count: number): Promise<FoundSession[]> {
  const keys = await passbell.application(NO_SEND_LIMITS);
  const to = freshPhone();
  const found = [];
  for (let i = 0; i < count; i++) {
    const { maskId } = await passbell.send(to, { expiry: 60 }, { keys });
    found.push((await store.find(maskId))!);
  }
  return found;
}
const judged = async (guesses: FoundSession[]): Promise<number> => {
  const now = passbell.clock.now();
  const counted = await Promise.all(guesses.map((session) => store.countGuess(session, DEFAULT_LIMITS, now)));
  return counted.filter(Boolean).length;
};

it('counts five of 100 on one session', async () => {
  const [session] = await sessions(1);
  expect(await judged(Array<FoundSession>(100).fill(session!))).toBe(5);
  expect((await store.find(session!.maskId))!.lockedUntil).toBe(passbell.clock.now() + 60_000);
});

it('counts twenty of 120 over ten sessions of one recipient, and none on the session that it refuses', async () => {
  const ten = await sessions(10);
  expect(await judged(Array.from({ length: 120 }, (_, n) => ten[n % 10]!))).toBe(20);
  const rows = await db('otp_sessions')
    .whereIn(
      'mask_id',
      ten.map(({ maskId }) => maskId),
    )
    .sum({ guesses: 'guesses' });
  expect(Number(rows[0]!.guesses)).toBe(20);
});

it('lets one of 50 right codes win, and none once another session of the recipient has won', async () => {
  const [first, second] = await sessions(2);
  const win = (session: FoundSession): Promise<boolean> =>
    store.transaction((trx) => store.win(trx, session, DEFAULT_LIMITS));
  const wins = await Promise.all(Array.from({ length: 50 }, (_, n) => win(n % 2 ? first! : second!)));
  expect(wins.filter(Boolean)).toHaveLength(1);
});
