/** The comparison of providers by country on the channels page. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, waitForRoutingUpdate, setRoute } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';

const PARALLEL = 5;

let passbell: TestService;
let gateway: GatewayServer;
let keys: TestService['keys'];
beforeAll(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
  // Lists the countries, because the fraud guard limits unverified recipients in unlisted countries.
  keys = await passbell.application({ ...NO_LIMITS, settings: { countries: ['US'] } });
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});

/** Sends codes through a provider, and enters some of them. */
async function sendCodes(provider: string, count: number, entered: number): Promise<void> {
  await setRoute(passbell, 'SMS', '*', provider);
  await waitForRoutingUpdate(passbell);
  const send = async (n: number) => {
    const to = freshPhone();
    const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });
    const request = gateway.requests.find(({ body }) => body.includes(to))!;
    const otp = /\b\d{6}\b/.exec(JSON.parse(request.body).text)![0];
    if (n < entered) await passbell.post('/auth/verifyotp', { maskId: data.results[0].maskId, otp }, { keys });
  };
  // A gateway has a limited number of slots, so further parallel sends would be postponed.
  for (let n = 0; n < count; n += PARALLEL) await Promise.all(Array.from({ length: PARALLEL }, (_, i) => send(n + i)));
}

it('shows the results by country, and proposes a better provider order without changing the route', async () => {
  const owner = await signIn(passbell);
  expect((await owner.get('/channels')).html).not.toContain('Results of the last 7 days');
  const worse = await addGateway(passbell, 'Worse SMS', gateway);
  const better = await addGateway(passbell, 'Better SMS', gateway);
  await sendCodes(worse.id, 50, 10);
  await sendCodes(better.id, 50, 40);
  passbell.clock.advance(6 * 60_000);
  const visitor = await signIn(passbell, 'viewer');
  const { html } = await visitor.get('/channels');
  const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain(
    'SMS to United States: 20% of the codes sent through Worse SMS were entered, but 80% of those sent through Better SMS.',
  );
  expect(text).toMatch(/SMS to United States Better SMS 50 80% –|SMS to United States Worse SMS 50 20% –/);
  const [route] = await passbell.service.routes.list(OPERATOR, await accountOf(passbell));
  expect(route!.entries).toEqual([{ provider: better.id }]);
});

it('excludes messages of other accounts', async () => {
  const email = freshMail();
  const other = await signIn(passbell, 'owner', { account: email });
  await passbell.service.providerAccounts.allow(OPERATOR, await accountOf(passbell, email), true);
  expect((await other.get('/channels')).html).not.toMatch(/Results of the last|Worse SMS/);
});
