/** A process that dies while a paid message is with the provider: the next one asks before it sends again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type PassbellProcess } from '../support/process.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-look-up-'));
let twilio: TwilioServer;
let service: PassbellProcess;

const start = () =>
  startProcess({
    DATA_DIR: dataDir,
    SEND_WAIT_MS: '0',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });

beforeAll(async () => {
  twilio = await startTwilioServer();
  service = await start();
});
afterAll(async () => {
  await service.end('SIGKILL');
  await twilio.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('waits for the look-up, and sends when the provider has nothing', async () => {
  twilio.answer('silent');
  const [, clientId, clientSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  await fetch(`${service.url}/api/v1/auth/sendotp?to=%2B14155550123&authWay=SMS`, {
    headers: { clientId: clientId!, clientSecret: clientSecret! },
  });
  await twilio.request(1);
  await service.end('SIGKILL');

  twilio.answer('accept');
  twilio.answerLookUps(REFUSALS.unavailable);
  service = await start();
  await twilio.request(2);
  twilio.answerLookUps('accept');
  await twilio.request(4);
  expect(twilio.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST']);
  expect(twilio.requests[3]!.form).toEqual(twilio.requests[0]!.form);
});
