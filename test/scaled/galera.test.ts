/** Two writers of a Galera cluster. Runs with `npm run test:galera` only. */
import { startGalera } from '../support/servers/galera.js';
import { createTestDatabase, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';

const NAME = 'galera';
const CODES = 450;
const PARALLEL = 6;

const onGalera = process.env.GALERA ? describe : describe.skip;

onGalera('two writers', () => {
  let nodes: readonly [PrivateServer, PrivateServer];
  let fleet: Fleet;
  beforeAll(async () => {
    nodes = await startGalera();
    await createTestDatabase(nodes[0].url, NAME);
    fleet = await startFleet({
      apis: 0,
      workers: 0,
      databaseServer: nodes[0].url,
      settings: { DATABASE_URL: new URL(`/${NAME}`, nodes[0].url).href },
    });
    for (const { url } of nodes)
      fleet.apis.push(await fleet.start('all', { DATABASE_URL: new URL(`/${NAME}`, url).href }));
    process.stderr.write(`tests: two nodes of ${nodes[0].version}\n`);
  });
  afterAll(async () => {
    await fleet.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const sendOn = async (n: 0 | 1) => {
    const to = fleet.recipient();
    const body = await fleet.post(fleet.apis[n]!, '/auth/sendotp', { to, expiry: 60 });
    expect(body).toMatchObject({ success: true });
    return { to, maskId: body.data.results[0].maskId as string };
  };
  const verifyOn = (n: 0 | 1, maskId: string, otp: string) =>
    fleet.post(fleet.apis[n]!, '/auth/verifyotp', { maskId, otp });

  it(`accepts ${CODES} right codes that were sent through the other node`, async () => {
    const codes: string[] = [];
    const one = async (n: 0 | 1) => {
      const sent = await sendOn(n);
      const body = await verifyOn((1 - n) as 0 | 1, sent.maskId, await fleet.codeOf(sent));
      codes.push(body.success ? 'ok' : body.code);
    };
    const callers = Array.from({ length: PARALLEL }, async (_, caller) => {
      for (let n = 0; n < CODES / PARALLEL; n++) await one((caller % 2) as 0 | 1);
    });
    await Promise.all(callers);
    expect(codes).toHaveLength(CODES);
    expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  });

  it('accepts a code once, and checks a limited number of wrong codes, when both nodes verify', async () => {
    for (let round = 0; round < 20; round++) {
      const sent = await sendOn(0);
      const code = await fleet.codeOf(sent);
      const right = await Promise.all(
        Array.from({ length: 16 }, (_, n) => verifyOn((n % 2) as 0 | 1, sent.maskId, code)),
      );
      expect(right.filter(({ success }) => success)).toHaveLength(1);
    }
    for (let round = 0; round < 20; round++) {
      const sent = await sendOn(1);
      const code = Number(await fleet.codeOf(sent));
      // Different codes, because a repeated code counts only once.
      const wrong = (n: number) => String((code + 1 + n) % 1_000_000).padStart(6, '0');
      const replies = await Promise.all(
        Array.from({ length: 24 }, (_, n) => verifyOn((n % 2) as 0 | 1, sent.maskId, wrong(n))),
      );
      expect(replies.filter(({ code }) => code === 'INVALID_OTP').length).toBeLessThanOrEqual(5);
      expect(replies.filter(({ success }) => success)).toHaveLength(0);
    }
  });
});
