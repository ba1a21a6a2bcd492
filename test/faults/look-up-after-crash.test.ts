/** A process crashes during a call to a provider. The next process looks up the message before it sends again. */
import { rmSync } from 'node:fs';
import { HOUR } from '../../backend/src/platform/clock.js';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { createDataFolder } from '../support/data-folder.js';
import { startProcess, type PassbellProcess } from '../support/process.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const dataDir = createDataFolder('look-up');
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
  await service.stop('SIGKILL');
  await twilio.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Extends the lease of the crashed process by an hour, so that only the restart can end it during the test. */
async function extendLease(): Promise<void> {
  const db = openDatabase({ url: undefined, dataDir });
  try {
    const dueAt = Date.now() + HOUR;
    expect(await db('messages').where({ state: 'sending' }).update({ due_at: dueAt })).toBe(1);
  } finally {
    await db.destroy();
  }
}

it('looks up the message right after the restart, and sends it again if the provider does not have it', async () => {
  twilio.respondWith('silent');
  const [, clientId, clientSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  await fetch(`${service.url}/api/v1/auth/sendotp?to=%2B14155550123&authWay=SMS`, {
    headers: { clientId: clientId!, clientSecret: clientSecret! },
  });
  await twilio.waitForRequest(1);
  await service.stop('SIGKILL');
  await extendLease();

  twilio.respondWith('accept');
  twilio.respondToLookUpsWith(TWILIO_ERRORS.unavailable);
  service = await start();
  await twilio.waitForRequest(2);
  twilio.respondToLookUpsWith('accept');
  await twilio.waitForRequest(4);
  expect(twilio.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST']);
  expect(twilio.requests[3]!.form).toEqual(twilio.requests[0]!.form);
});
