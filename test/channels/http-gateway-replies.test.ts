/** How the HTTP gateway interprets replies. If the message may have been sent, the outcome is unknown. */
import { setImmediate } from 'node:timers/promises';
import { failureOf, MESSAGE_ID, SECRET, setUpGateway, smsTo, type GatewayBehavior } from '../support/gateway-server.js';

const TO = '+4915123456789';
const message = smsTo(TO, '093518 is your Harbor Books code.');

const fixture = setUpGateway();
const { gateway } = fixture;

describe('a send through a gateway', () => {
  const rules = [
    'transient: code = 12 => the account sends too fast',
    'permanent: code = 21, 22 => the number is barred',
    'account: error ~ /credit/i => the credit is used up',
    'unknown: code = 99',
    'transient: status 500 and /certainly not sent/',
  ].join('\n');
  const success = 'status 200-299 and result.code = 0';
  const json = (status: number, body: unknown, headers = {}): GatewayBehavior => ({ status, body, headers });

  it.each<[string, GatewayBehavior, string, string?]>([
    ['a rule', json(200, { code: 12 }), 'transient', 'provider'],
    ['another rule', json(200, { code: 22 }), 'permanent', 'message'],
    ['a rule about the account', json(400, { error: 'No Credit left' }), 'permanent', 'provider'],
    ['a rule about an unknown outcome', json(400, { code: 99 }), 'unknown'],
    ['a rule about the text', json(500, 'certainly not sent'), 'transient'],
    ['401', json(401, ''), 'permanent', 'provider'],
    ['402', json(402, ''), 'permanent', 'provider'],
    ['422', json(422, ''), 'permanent', 'route'],
    ['a redirect', json(302, '', { Location: 'http://127.0.0.1/' }), 'permanent', 'provider'],
    ['429', json(429, ''), 'transient'],
    ['503', json(503, ''), 'transient'],
    ['500', json(500, ''), 'unknown'],
    ['502', json(502, ''), 'unknown'],
    ['504', json(504, ''), 'unknown'],
    ['a success status without the confirmation', json(200, { result: { code: 7 } }), 'unknown'],
    ['garbage', json(200, '<html>welcome</html>'), 'unknown'],
    ['a reply that breaks off', 'half', 'unknown'],
    ['a reset connection', 'reset', 'unknown'],
    ['an endless reply', 'endless', 'unknown'],
  ])('has a safe outcome after %s', async (_name, behavior, kind, concerns = 'provider') => {
    fixture.server.respondWith(behavior);
    const error = await failureOf(gateway({ success, errors: rules }), message);
    expect(error).toMatchObject({ kind, concerns });
    expect(fixture.server.requests).toHaveLength(1);
    for (const secret of [TO.slice(1), '093518', SECRET]) expect(error.reason).not.toContain(secret);
  });

  it('returns the delay in the Retry-After header', async () => {
    fixture.server.respondWith(json(429, '', { 'Retry-After': '7' }));
    expect(await failureOf(gateway(), message)).toMatchObject({ kind: 'transient', retryAfterSeconds: 7 });
  });

  it('has an unknown outcome if no reply arrives', async () => {
    fixture.server.respondWith('silent');
    const error = await failureOf(gateway({}, { timeoutMs: 200 }), message);
    expect(error).toMatchObject({ kind: 'unknown', reason: 'the provider did not reply in time' });
  });

  it('fails transiently if the connection is refused', async () => {
    const provider = gateway();
    await fixture.server.close();
    expect(await failureOf(provider, message)).toMatchObject({ kind: 'transient' });
  });

  it('succeeds even if the process was busy while the connection was opened', async () => {
    fixture.server.respondWith(json(200, {}));
    const sent = gateway().send(message);
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3200);
    await expect(sent).resolves.toEqual({ providerId: MESSAGE_ID });
  });

  it('fails transiently if the host is unknown', async () => {
    const provider = gateway({ url: 'http://gateway.invalid/send' });
    expect(await failureOf(provider, message)).toMatchObject({
      kind: 'transient',
      reason: 'the provider cannot be reached',
    });
  });

  it('succeeds if the success condition matches, even if an error rule also matches', async () => {
    fixture.server.respondWith(json(200, { result: { code: 0 }, error: 'credit is low', id: 7 }));
    await expect(gateway({ success, errors: rules, messageIdPath: 'id' }).send(message)).resolves.toEqual({
      providerId: '7',
    });
  });

  it("succeeds with Passbell's message id if the reply contains no id", async () => {
    fixture.server.respondWith(json(200, 'OK'));
    await expect(gateway({ messageIdPath: 'id' }).send(message)).resolves.toEqual({ providerId: MESSAGE_ID });
  });

  it('succeeds if a regular expression matches a text reply', async () => {
    fixture.server.respondWith(json(200, 'OK id=4711'));
    const provider = gateway({ success: '/^OK/', messageIdPath: '/id=(\\w+)/' });
    await expect(provider.send(message)).resolves.toEqual({ providerId: '4711' });
  });

  it('hides phone numbers in the error code', async () => {
    fixture.server.respondWith(json(400, { code: 'INVALID_SENDER' }));
    expect((await failureOf(gateway({ errorCode: 'code' }), message)).reason).toContain('(400, INVALID_SENDER)');
    fixture.server.respondWith(json(400, { code: TO.slice(1) }));
    expect((await failureOf(gateway({ errorCode: 'code' }), message)).reason).toMatch(/\(400\)$/);
  });

  it('does not block the process if a regular expression takes exponential time', async () => {
    fixture.server.respondWith(json(200, `${'a'.repeat(60)}!`));
    expect(await failureOf(gateway({ success: '/^(a+)+$/' }), message)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a look-up', () => {
  const settings = () => ({
    lookUpUrl: `${fixture.server.url}/messages/{{ messageId }}?since={{ since }}`,
    lookUpFound: 'data.id exists',
    lookUpId: 'data.id',
    authentication: 'bearer',
  });

  it('finds a message', async () => {
    fixture.server.respondWith({ status: 200, body: { data: { id: 'gw-7' } } });
    await expect(gateway(settings()).find!(message, 0)).resolves.toEqual({ providerId: 'gw-7' });
    expect(fixture.server.requests[0]).toMatchObject({
      method: 'GET',
      path: `/messages/${MESSAGE_ID}?since=1970-01-01T00%3A00%3A00.000Z`,
      headers: { authorization: `Bearer ${SECRET}` },
    });
  });

  it.each([
    [404, ''],
    [200, { data: null }],
  ])('finds no message if the reply is %d with %j', async (status, body) => {
    fixture.server.respondWith({ status, body });
    await expect(gateway(settings()).find!(message, 0)).resolves.toBeUndefined();
  });

  it('fails transiently after a server error', async () => {
    fixture.server.respondWith({ status: 500 });
    await expect(gateway(settings()).find!(message, 0)).rejects.toMatchObject({ kind: 'transient' });
  });
});
