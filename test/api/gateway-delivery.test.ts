/** Codes sent through an HTTP gateway: from the request to the delivery report. */
import { accountIdOf } from '../../backend/src/cli/account-option.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../../backend/src/modules/applications/application.js';
import type { ProviderSettings } from '../../backend/src/providers/provider-type.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';

const SECRET = 'gateway-s3cret-93518';

let passbell: TestService;
let gateway: GatewayServer;
let accountId: number;
beforeAll(async () => {
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off' });
  accountId = await accountIdOf(passbell.core, OPERATOR_ACCOUNT);
});
afterAll(() => passbell.stop());
beforeEach(async () => {
  gateway = await startGatewayServer();
  let count = 0;
  gateway.respondWith(() => ({ status: 200, body: { result: 0, id: vendorId(++count) } }));
});
afterEach(async () => {
  for (const { id } of await passbell.core.providers.service.list(OPERATOR, accountId))
    await passbell.core.providers.service.remove(OPERATOR, accountId, id);
  await gateway.close();
});

/** Returns the id of the gateway's nth message, longer than the column that stores it. */
const vendorId = (n: number): string => `gw-${n}-${gateway.url}-`.padEnd(120, 'x');

const BODY = { to: '{{ to }}', text: '{{ text }}', dlr: '{{ callbackUrl }}' };

/** Adds a gateway, and waits until all processes use it. */
async function addGateway(body: object = BODY, more: ProviderSettings = {}) {
  const settings = {
    url: `${gateway.url}/send`,
    body: JSON.stringify(body),
    authentication: 'bearer',
    secret: SECRET,
    success: 'status 200 and result = 0',
    messageIdPath: 'id',
    reportState: 'status',
    reportId: 'id',
    reportStates: 'delivered = OK\nundelivered = FAILED',
    ...more,
  };
  const request = { type: 'http-gateway', name: 'Local SMS', settings };
  const view = await passbell.core.providers.service.add(OPERATOR, accountId, request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  return view;
}

async function send(): Promise<{ body: Body; state: () => Promise<string> }> {
  const keys = await passbell.application(NO_LIMITS);
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const id = body.data?.results[0]?.messageId;
  return { body, state: async () => (await passbell.get(`/messages/${id}`, {}, { keys })).data.state };
}

/** Posts a form to a callback URL, with the public base URL replaced by the test server. */
const callBack = (url: string, form: Record<string, string>) =>
  fetch(url.replace(CALLBACK_BASE, passbell.url), {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { Connection: 'close' },
  });

const lastRequest = () => JSON.parse(gateway.requests.at(-1)!.body);

it('a code is sent, and its delivery report updates the message state', async () => {
  await addGateway();
  const { body, state } = await send();
  expect(body).toMatchObject({ success: true });
  expect(await state()).toBe('sent');
  expect(gateway.requests.at(-1)!.headers.authorization).toBe(`Bearer ${SECRET}`);
  const { dlr } = lastRequest();
  const id = vendorId(gateway.requests.length);

  const forged = dlr.replace(/key=.*/, 'key=wrong');
  expect((await callBack(forged, { id, status: 'OK' })).status).toBe(403);
  expect(await state()).toBe('sent');
  expect((await callBack(dlr, { id, status: 'OK' })).status).toBe(204);
  expect(await state()).toBe('delivered');
  const key = new URL(dlr).searchParams.get('key')!;
  for (const secret of [SECRET, key]) expect(passbell.logged.join()).not.toContain(secret);
});

it.each([
  ['the reply', { reportId: '' }],
  ['the report', { messageIdPath: '' }],
])('a message gets its delivery report although only %s contains an id of the gateway', async (_name, settings) => {
  await addGateway(BODY, settings);
  const { state } = await send();
  const report = { id: vendorId(gateway.requests.length), status: 'OK' };
  expect((await callBack(lastRequest().dlr, report)).status).toBe(204);
  expect(await state()).toBe('delivered');
});

it("a message is found by the gateway's message id if the delivery report contains no other id", async () => {
  const { callbackUrl } = await addGateway({ to: '{{ to }}', text: '{{ text }}' });
  const { state } = await send();
  const id = vendorId(gateway.requests.length);
  expect((await callBack(callbackUrl!, { id: 'another', status: 'FAILED' })).status).toBe(204);
  expect(await state()).toBe('sent');
  expect((await callBack(callbackUrl!, { id, status: 'FAILED' })).status).toBe(204);
  expect(await state()).toBe('undelivered');
});

it('a failed send has a reason that contains neither the secret nor the reply', async () => {
  await addGateway();
  gateway.respondWith({ status: 401, body: { error: `invalid token ${SECRET}` } });
  const { body } = await send();
  expect(body.success).toBe(false);
  expect(JSON.stringify(body)).toContain('check its address and credentials (401)');
  expect(JSON.stringify([body, passbell.logged])).not.toContain(SECRET);
});
