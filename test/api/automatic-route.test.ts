/** Automatic routes learn from entered codes and delivery reports. */
import { randomBytes } from 'node:crypto';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { addGateway, setAutomaticRoute, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';
import { advancing, until } from '../support/wait.js';

const MINUTE = 60_000;
const REPORTS = {
  body: '{"to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}',
  reportState: 'status',
  reportId: 'id',
  reportStates: 'delivered = OK\nundelivered = FAIL',
};

let first: GatewayServer;
let second: GatewayServer;
let passbell: TestService;
/** The fraud guard must not refuse the codes that nobody enters. */
const NO_GUARD = { prefixUnverified: 0, rangeUnverified: 0, homeUnverified: 0 };

let keys: Awaited<ReturnType<TestService['application']>>;
let firstId = '';
let secondId = '';

beforeEach(async () => {
  [first, second] = [await startGatewayServer(), await startGatewayServer()];
  for (const server of [first, second])
    server.respondWith(() => ({ status: 200, body: { id: randomBytes(8).toString('hex') } }));
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off', SEND_WAIT_MS: '30000' });
  ({ id: firstId } = await addGateway(passbell, 'First', first, REPORTS));
  ({ id: secondId } = await addGateway(passbell, 'Second', second, REPORTS));
  await setAutomaticRoute(passbell, 'SMS', '*', { provider: firstId }, { provider: secondId });
  await waitForRoutingUpdate(passbell);
  keys = await passbell.application({
    ...NO_LIMITS,
    fraud: NO_GUARD,
    settings: { channels: ['SMS'], countries: ['US'] },
  });
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await passbell.stop();
});

const sends = ({ requests }: GatewayServer): Body[] =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));

/** Sends a code, and returns it with the gateway that got it. */
async function send(to = freshPhone()) {
  const body = await passbell.post('/auth/sendotp', { to, expiry: 5 }, { keys });
  expect(body).toMatchObject({ success: true, data: { isSent: 1 } });
  const server = sends(first).some((request) => request.to === to) ? first : second;
  const { text, dlr } = sends(server).find((request) => request.to === to)!;
  return { to, server, dlr, otp: /\b\d{6}\b/.exec(text)![0], maskId: body.data.results[0].maskId as string };
}

/** Returns for each process the share of messages that it would send with the first gateway. */
async function sharesOfFirst(): Promise<number[]> {
  const { id: applicationId } = (await passbell.core.applications.service.find(keys.appKey))!;
  const ids = Array.from({ length: 200 }, () => randomBytes(16).toString('hex'));
  return passbell.cores.map(({ providers: { routing } }) => {
    const firsts = ids.map((id) => routing.route({ id, applicationId, channel: 'SMS' }, () => 'US')[0]!.id);
    return firsts.filter((id) => id === firstId).length / ids.length;
  });
}

/** The steps are short: on a busy machine, hours of the clock would pass, in which the outcomes fade. */
const untilShare = (title: string, isRight: (share: number) => boolean) =>
  until(title, async () => (await sharesOfFirst()).every(isRight), advancing(passbell.clock, 1000));

async function setOrder(...providers: readonly string[]): Promise<void> {
  await setAutomaticRoute(passbell, 'SMS', '*', ...providers.map((provider) => ({ provider })));
  await waitForRoutingUpdate(passbell);
}

it('the provider whose codes are entered gets the messages, after the codes have expired', async () => {
  await setOrder(secondId, firstId);
  for (let n = 0; n < 20; n++) {
    const { maskId, otp } = await send();
    expect(await passbell.post('/auth/verifyotp', { maskId, otp }, { keys })).toMatchObject({ success: true });
  }
  await setOrder(firstId, secondId);
  await untilShare('the first provider comes first', (share) => share > 0.9);
  // Nobody gets these codes. The second code for a person goes to the other gateway, and is not judged.
  for (let n = 0; n < 20; n++) {
    const { to } = await send();
    if (n % 4 === 0) await send(to);
  }
  passbell.clock.advance(8 * MINUTE);
  await untilShare('the second provider comes first', (share) => share < 0.1);
  const db = passbell.openDatabase();
  const stored = () => db('provider_scores').where({ provider: secondId }).first();
  // Each process stores its own outcomes. They weigh less as time passes.
  const allStored = async () => Number((await stored())?.entered ?? 0) > 15;
  await until('all scores are stored', allStored, advancing(passbell.clock, 1000));
  const row = await stored();
  await db.destroy();
  expect(Number(row.not_entered)).toBeLessThan(3);
});

it('a provider that reports messages as undelivered is avoided after a few of them', async () => {
  const ids: string[] = [];
  first.respondWith(() => ({ status: 200, body: { id: ids[ids.push(randomBytes(8).toString('hex')) - 1] } }));
  for (let n = 0; n < 12; n++) {
    const { server, dlr } = await send();
    if (server === second) continue;
    const { pathname, search } = new URL(dlr);
    const init = { method: 'POST', body: JSON.stringify({ status: 'FAIL', id: ids.at(-1) }) };
    const headers = { 'Content-Type': 'application/json' };
    expect((await passbell.fetch(`${pathname}${search}`, init, { headers })).status).toBe(204);
  }
  await untilShare('the second provider comes first', (share) => share < 0.3);
});

it('the first outcomes in a country are all stored, even if two processes write them at the same time', async () => {
  const { cores } = passbell;
  const { id: applicationId } = (await passbell.core.applications.service.find(keys.appKey))!;
  const outcomes = { entered: 0, notEntered: 0, delivered: 0, undelivered: 1 };
  const countries = ['AR', 'AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CL', 'CZ', 'DE'];
  for (const country of countries) {
    for (const { providers } of cores)
      providers.routing.recordOutcome({ applicationId, channel: 'SMS', country, provider: firstId, outcomes });
    await Promise.all(cores.map(({ providers }) => providers.routing.syncScores()));
  }
  const db = passbell.openDatabase();
  const rows = await db('provider_scores').whereIn('country', countries).orderBy('country');
  await db.destroy();
  expect(rows.map((row) => [row.country, Math.round(row.undelivered)])).toEqual(
    countries.map((country) => [country, cores.length]),
  );
});
