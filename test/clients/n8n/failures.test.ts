/** Each failure in the contract fails the item or the workflow, with a message that explains what to do. */
import { durationText } from '../../../backend/src/platform/clock.js';
import { Sqlite } from '../../../backend/src/platform/db/sqlite-driver.js';
import { join } from 'node:path';
import { ERRORS } from '../../../backend/src/platform/contract/generated/errors.js';
import { freshPhone, startService } from '../../support/service.js';
import { TWILIO_ERRORS, startTwilioServer } from '../../support/twilio-server.js';
import { startStaticServer } from './forwarder.js';
import { outputOf, startFixture, type Run, type Fixture } from './engine.js';
import { ORDER, FAILURE_CASES, SEND, TOKEN, VERIFY } from './failure-cases.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const CONTINUE = { onError: 'continueRegularOutput' };

/** Checks the error in a workflow that stopped, and the error item in a workflow that continued. */
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

it.each(Object.keys(FAILURE_CASES))('an item fails with advice on %s from the running service', async (code) => {
  const { parameters, item, credentials } = await FAILURE_CASES[code]!(fixture);
  const as = { ...fixture.credentials, ...credentials };
  const stopped = await fixture.runAs(as, parameters, [item]);
  const continued = await fixture.runAs(as, parameters, [item], CONTINUE);
  expectFailure(code, stopped, continued);
  expect(stopped.stored).not.toContain(as.appSecret || 'sk_');
  const { throttled } = ERRORS[code as keyof typeof ERRORS] as { throttled?: boolean };
  const seconds = outputOf(continued)[0]!.json.details.retryAfterSeconds;
  expect(seconds).toEqual(throttled ? expect.any(Number) : undefined);
  if (throttled) expect(stopped.error.message).toContain(`Try again in ${durationText(seconds)}`);
});

describe('an item that is sent through a provider', () => {
  it.each([
    ['SEND_FAILED', 'SMS'],
    ['CHANNEL_NOT_CONFIGURED', 'VOICE'],
  ])('fails with advice on %s', async (code, channel) => {
    const twilio = await startTwilioServer();
    twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    const passbell = await startService({
      DEV_INBOX: 'off',
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, channel };
    const one = { to: freshPhone() };
    const two = { to: freshPhone() };
    const stopped = await fixture.runAs(as, parameters, [one]);
    expectFailure(code, stopped, await fixture.runAs(as, parameters, [two], CONTINUE));
    await passbell.stop();
    await twilio.close();
  });

  it('fails with advice on IDEMPOTENCY_IN_FLIGHT', async () => {
    const twilio = await startTwilioServer();
    twilio.respondWith('silent');
    const passbell = await startService({
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const item = { to: freshPhone() };
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, options: { idempotencyKey: 'same' } };
    const first = fixture.runAs(as, parameters, [item]);
    await twilio.waitForRequest(1);
    const stopped = await fixture.runAs(as, parameters, [item]);
    expectFailure('IDEMPOTENCY_IN_FLIGHT', stopped, await fixture.runAs(as, parameters, [item], CONTINUE));
    passbell.clock.advance(3_000);
    expect((await first).status).toBe('success');
    expect(twilio.requests).toHaveLength(1);
    await passbell.stop();
    await twilio.close();
  });
});

it('an item fails with advice on SERVICE_UNAVAILABLE', async () => {
  const passbell = await startService();
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'));
  db.exec('alter table messages rename to messages_away');
  db.close();
  const as = { ...passbell.keys, baseUrl: passbell.url };
  const one = { to: freshPhone() };
  const two = { to: freshPhone() };
  const stopped = await fixture.runAs(as, SEND, [one]);
  expectFailure('SERVICE_UNAVAILABLE', stopped, await fixture.runAs(as, SEND, [two], CONTINUE));
  await passbell.stop();
});

it.each(Object.entries(ERRORS))('a reply with %s makes every operation fail', async (code, entry) => {
  const { message, throttled } = entry as { message: string; throttled?: boolean };
  const reply = { success: false, code, message, ...(throttled && { retryAfterSeconds: 7 }) };
  const server = await startStaticServer(200, { 'Content-Type': 'application/json' }, JSON.stringify(reply));
  const as = { ...fixture.credentials, baseUrl: server.url };
  const item = { to: '+14155550100', maskId: 'm', code: '1', token: 't' };
  for (const parameters of [SEND, VERIFY, TOKEN, { ...ORDER, orderId: 'A' }]) {
    const stopped = await fixture.runAs(as, parameters, [item]);
    // Errors name fields as the form does.
    expect(stopped.error.message).toBe(
      message
        .replace('clientId', 'App Key')
        .replace('clientSecret', 'App Secret')
        .replace('authWay', 'Channel')
        .replace('templateType', 'Template'),
    );
    expectFailure(code, stopped, await fixture.runAs(as, parameters, [item], CONTINUE));
  }
  server.close();
});

it.each([
  ['a web page', 200, '<html>Welcome</html>'],
  ['nothing', 200, ''],
  ['success as a string', 200, '{"success":"true","message":"sent","data":{}}'],
  ['success only', 200, '{"success":true}'],
  ['no success field', 200, '{"ok":true}'],
  ['a list', 200, '[]'],
  ['not found', 404, 'Not Found'],
])('a call to a server that returns %s fails with NOT_PASSBELL', async (_what, status, body) => {
  const server = await startStaticServer(status, {}, body);
  const as = { ...fixture.credentials, baseUrl: server.url };
  const item = { to: '+14155550100' };
  expectFailure('NOT_PASSBELL', await fixture.runAs(as, SEND, [item]), await fixture.runAs(as, SEND, [item], CONTINUE));
  server.close();
});

it('a reply of a proxy whose server does not respond fails with GATEWAY, and says that a retry is safe', async () => {
  const server = await startStaticServer(502, {}, '<html>Bad Gateway</html>');
  const as = { ...fixture.credentials, baseUrl: server.url };
  const item = { to: '+14155550100' };
  const continued = await fixture.runAs(as, SEND, [item], CONTINUE);
  expectFailure('GATEWAY', await fixture.runAs(as, SEND, [item]), continued);
  expect(outputOf(continued)[0]!.json.message).toContain('does not send a second message');
  server.close();
});

it('a call to an unreachable server fails without revealing the credentials or the code', async () => {
  const server = await startStaticServer(200, {}, '');
  server.close();
  const as = { ...fixture.credentials, baseUrl: server.url };
  const item = { maskId: 'm', code: '918273' };
  const stopped = await fixture.runAs(as, VERIFY, [item]);
  const continued = await fixture.runAs(as, VERIFY, [item], CONTINUE);
  expectFailure('UNREACHABLE', stopped, continued);
  expect(outputOf(continued)[0]!.json.error).toBe('Passbell did not respond (ECONNREFUSED)');
  expect(stopped.error.message).toContain('refused the connection');
  for (const secret of [as.appSecret, as.appKey]) expect(stopped.stored).not.toContain(secret);
  expect(JSON.stringify(stopped.error)).not.toContain('918273');
});

it('an item with an invalid expression or invalid JSON fails', async () => {
  const invalid = { ...ORDER, variablesFrom: 'json', variablesJson: '={{ $json.words }}' };
  const item = { to: freshPhone(), words: '[1]' };
  expectFailure('INVALID_INPUT', await fixture.run(invalid, [item]), await fixture.run(invalid, [item], CONTINUE));
});
