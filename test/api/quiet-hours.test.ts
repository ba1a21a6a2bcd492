/** Quiet hours that begin while a notification waits for its next attempt. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { addGateway } from '../support/providers.js';
import { NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

const GERMAN_NUMBER = '+4915123456789';
const AFTER_QUIET_HOURS = Date.parse('2027-01-15T10:00Z');
const SENT = { status: 200, body: { id: 'gw-1' } };

let passbell: TestService;
let gateway: GatewayServer;
let keys: KeyPair;
beforeEach(async () => {
  [passbell, gateway] = [await startService({ SEND_WAIT_MS: '0' }), await startGatewayServer()];
  await addGateway(passbell, 'Local SMS', gateway);
  // The test clock starts at 8:00 UTC, which is 9:00 in Germany.
  keys = await passbell.application({ ...NO_LIMITS, settings: { quietHours: '09:01-11:00' } });
});
afterEach(async () => {
  await passbell.stop();
  await gateway.close();
});

const order = { to: GERMAN_NUMBER, authWay: 'sms', templateType: 'order_shipped', variables: { orderId: 'A-1' } };
const statusOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`, {}, { keys })).data;
const sweep = async () => {
  for (const core of passbell.cores) await core.messages.sweep();
};

/** Returns a column of the only message, once it is queued for a retry. */
async function retryOf(column: 'id' | 'due_at'): Promise<string | number | undefined> {
  const db = passbell.openDatabase();
  const row = await db('messages').where({ state: 'queued' }).whereNotNull('history').first(column);
  await db.destroy();
  return row?.[column];
}

/** Sends a message whose first attempt fails, and returns its id. */
async function failedOnce(path: string, parameters: object): Promise<string> {
  gateway.respondWith({ status: 503 });
  await passbell.post(path, parameters, { keys });
  const id = await until('the failed attempt', () => retryOf('id'));
  gateway.respondWith(SENT);
  return String(id);
}

it('hold back the retry of a notification until they end', async () => {
  const id = await failedOnce('/notifications/order', order);
  passbell.clock.advance(2 * MINUTE);
  await until(
    'the claim',
    async () => (await sweep(), gateway.requests.length > 1 || (await retryOf('due_at')) === AFTER_QUIET_HOURS),
  );
  expect(gateway.requests).toHaveLength(1);
  expect(await statusOf(id)).toMatchObject({ state: 'queued' });
  expect(await passbell.core.messages.service.backlog()).toMatchObject({ messages: 0 });
  passbell.clock.advance(2 * HOUR - 2 * MINUTE - SECOND);
  await sweep();
  expect(gateway.requests).toHaveLength(1);
  passbell.clock.advance(SECOND);
  await until('the message', async () => (await sweep(), (await statusOf(id)).state === 'sent'));
  expect(gateway.requests).toHaveLength(2);
});

it('do not hold back the retry of a code', async () => {
  await failedOnce('/auth/sendotp', { to: GERMAN_NUMBER });
  passbell.clock.advance(2 * MINUTE);
  await until('the code', async () => (await sweep(), gateway.requests.length > 1));
});
