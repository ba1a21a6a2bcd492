/** What the service refuses is never a success: each failure of the contract's table, as a person sees it in n8n. */
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { ERRORS } from '../../../backend/src/platform/contract/generated/errors.js';
import { freshPhone, startService } from '../../support/service.js';
import { REFUSALS, startTwilioServer } from '../../support/twilio-server.js';
import { startStranger } from './forwarder.js';
import { outputOf, startWorkbench, type Run, type Workbench } from './engine.js';
import { ORDER, SCENES, SEND, TOKEN, VERIFY } from './scenes.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const CONTINUE = { onError: 'continueRegularOutput' };

/** What the person reads when the workflow stops, and what an item tells when it goes on. */
function expectFailure(code: string, stopped: Run, continued: Run): void {
  const description = expect.stringMatching(/^Item 0: .{15}/);
  expect(stopped).toMatchObject({ status: 'error', error: { description, context: { itemIndex: 0 } } });
  const [item] = outputOf(continued);
  expect(item).toEqual({
    json: { error: expect.any(String), message: expect.any(String), details: expect.objectContaining({ code }) },
    pairedItem: { item: 0 },
  });
  expect(Object.keys(item!.json).sort()).toEqual(['details', 'error', 'message']);
}

it.each(Object.keys(SCENES))('%s of the running service fails, and says what to do', async (code) => {
  const { parameters, item, credentials } = await SCENES[code]!(bench);
  const as = { ...bench.credentials, ...credentials };
  const stopped = await bench.runAs(as, parameters, [item]);
  const continued = await bench.runAs(as, parameters, [item], CONTINUE);
  expectFailure(code, stopped, continued);
  expect(stopped.stored).not.toContain(as.appSecret || 'sk_');
  const { throttled } = ERRORS[code as keyof typeof ERRORS] as { throttled?: boolean };
  const seconds = outputOf(continued)[0]!.json.details.retryAfterSeconds;
  expect(seconds).toEqual(throttled ? expect.any(Number) : undefined);
  if (throttled) expect(stopped.error.message).toContain(`${seconds} seconds`);
});

describe('with providers', () => {
  it.each([
    ['SEND_FAILED', 'SMS'],
    ['CHANNEL_NOT_CONFIGURED', 'VOICE'],
  ])('%s fails, and says what to do', async (code, channel) => {
    const twilio = await startTwilioServer();
    twilio.answer(REFUSALS.invalidNumber);
    const passbell = await startService({
      DEV_INBOX: 'off',
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, channel };
    const [one, two] = [{ to: freshPhone() }, { to: freshPhone() }];
    const stopped = await bench.runAs(as, parameters, [one]);
    expectFailure(code, stopped, await bench.runAs(as, parameters, [two], CONTINUE));
    await passbell.stop();
    await twilio.close();
  });

  it('IDEMPOTENCY_IN_FLIGHT fails, and says what to do', async () => {
    const twilio = await startTwilioServer();
    twilio.answer('silent');
    const passbell = await startService({
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const item = { to: freshPhone() };
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, options: { idempotencyKey: 'same' } };
    const first = bench.runAs(as, parameters, [item]);
    await twilio.request(1);
    const stopped = await bench.runAs(as, parameters, [item]);
    expectFailure('IDEMPOTENCY_IN_FLIGHT', stopped, await bench.runAs(as, parameters, [item], CONTINUE));
    passbell.clock.advance(3_000);
    expect((await first).status).toBe('success');
    expect(twilio.requests).toHaveLength(1);
    await passbell.stop();
    await twilio.close();
  });
});

it('SERVICE_UNAVAILABLE fails, and says what to do', async () => {
  const passbell = await startService();
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'));
  db.exec('alter table messages rename to messages_away');
  db.close();
  const as = { ...passbell.keys, baseUrl: passbell.url };
  const [one, two] = [{ to: freshPhone() }, { to: freshPhone() }];
  const stopped = await bench.runAs(as, SEND, [one]);
  expectFailure('SERVICE_UNAVAILABLE', stopped, await bench.runAs(as, SEND, [two], CONTINUE));
  await passbell.stop();
});

it.each(Object.entries(ERRORS))('a reply with %s is a failure, whichever operation it answers', async (code, entry) => {
  const { message, throttled } = entry as { message: string; throttled?: boolean };
  const reply = { success: false, code, message, ...(throttled && { retryAfterSeconds: 7 }) };
  const server = await startStranger(200, { 'Content-Type': 'application/json' }, JSON.stringify(reply));
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { to: '+14155550100', maskId: 'm', code: '1', token: 't' };
  for (const parameters of [SEND, VERIFY, TOKEN, { ...ORDER, orderId: 'A' }]) {
    const stopped = await bench.runAs(as, parameters, [item]);
    expect(stopped.error.message).toBe(message);
    expectFailure(code, stopped, await bench.runAs(as, parameters, [item], CONTINUE));
  }
  server.close();
});

it.each([
  ['a page', 200, '<html>Welcome</html>'],
  ['nothing', 200, ''],
  ['success as a text', 200, '{"success":"true","data":{}}'],
  ['no success at all', 200, '{"ok":true}'],
  ['a list', 200, '[]'],
  ['an error of a proxy', 502, '<html>Bad Gateway</html>'],
  ['not found', 404, 'Not Found'],
])('a server that answers %s is not Passbell, and that is no success', async (_what, status, body) => {
  const server = await startStranger(status, {}, body);
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { to: '+14155550100' };
  expectFailure('NOT_PASSBELL', await bench.runAs(as, SEND, [item]), await bench.runAs(as, SEND, [item], CONTINUE));
  server.close();
});

it('a server that nobody reaches is a failure without the key pair or the code in it', async () => {
  const server = await startStranger(200, {}, '');
  server.close();
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { maskId: 'm', code: '918273' };
  const stopped = await bench.runAs(as, VERIFY, [item]);
  const continued = await bench.runAs(as, VERIFY, [item], CONTINUE);
  expectFailure('UNREACHABLE', stopped, continued);
  expect(outputOf(continued)[0]!.json.error).toBe('Passbell did not answer (ECONNREFUSED)');
  expect(stopped.error.message).toContain('refused the connection');
  for (const secret of [as.appSecret, as.appKey]) expect(stopped.stored).not.toContain(secret);
  expect(JSON.stringify(stopped.error)).not.toContain('918273');
});

it('an expression that does not resolve and JSON that is none fail their item', async () => {
  const broken = { ...ORDER, variablesFrom: 'json', variablesJson: '={{ $json.words }}' };
  const item = { to: freshPhone(), words: '[1]' };
  expectFailure('INVALID_INPUT', await bench.run(broken, [item]), await bench.run(broken, [item], CONTINUE));
});
