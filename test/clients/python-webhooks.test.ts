/** verify_webhook of clients/python. */
import { createHmac } from 'node:crypto';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { hasPython, python } from '../support/python.js';
import { advancing, until } from '../support/wait.js';
import { startWebhookServer } from '../support/webhook-server.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
});
afterAll(() => passbell.stop());

if (!hasPython) it.skip('needs Python 3.9 or newer', () => {});
const describeWithPython = hasPython ? describe : describe.skip;

describeWithPython('webhooks', () => {
  it('are verified by their signature', async () => {
    const shop = await startWebhookServer();
    const { appKey: app_key, appSecret: app_secret } = passbell.keys;
    const { secret } = await python('result = passbell.create_webhook(**given)', {
      url: shop.url,
      events: ['message.accepted'],
      client: { base_url: passbell.url, app_key, app_secret },
    });
    await passbell.send(freshPhone());
    await until('the webhook call', () => shop.calls.length === 1, advancing(passbell.clock, 1000));
    const { body, headers, event } = shop.calls[0]!;
    // The clock of the service is not the system clock.
    const verify = `
import time
time.time = lambda: given["now"]
result = verify_webhook(given["body"], given["headers"], given["secret"])`;
    const now = Number(/^t=(\d+),/.exec(String(headers['passbell-signature']))![1]);
    const given = { body, headers, secret, now };
    for (const changed of [{}, { secret: ['whsec_old', secret] }, { now: now - 300 }, { now: now + 300 }])
      expect(await python(verify, { ...given, ...changed })).toEqual(event);
    const forged = { ...headers, 'passbell-signature': `t=${now},v1=${'a'.repeat(64)}` };
    for (const changed of [
      { body: `${body} ` },
      { secret: 'whsec_other' },
      { headers: {} },
      { headers: forged },
      { now: now - 301 },
      { now: now + 301 },
    ])
      expect((await python(verify, { ...given, ...changed })).error.code).toBe('INVALID_SIGNATURE');
    await shop.close();
  });

  it('are not accepted with an empty secret', async () => {
    const body = '{}';
    const signedAt = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', '').update(`${signedAt}.${body}`).digest('hex');
    const headers = { 'Passbell-Signature': `t=${signedAt},v1=${signature}` };
    const lines = `
try:
    result = verify_webhook(given["body"], given["headers"], given["secret"])
except ValueError as error:
    result = str(error)`;
    for (const secret of ['', ['whsec_old', '']])
      expect(await python(lines, { body, headers, secret })).toBe('The secret of a webhook must not be empty.');
  });
});
