/** The CSV export: all matching messages, each once, and no formulas. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, twilioError, type TwilioServer } from '../support/twilio-server.js';

const HOSTILE = '=cmd|calc';

let twilio: TwilioServer;
let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
  passbell.clock.advance(2000);
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

let numbers = 0;

/** Sends a code, and returns its message id. */
async function send(parameters: object = {}): Promise<string> {
  const to = `+1415200${String(1000 + ++numbers)}`;
  const body = await passbell.post('/auth/sendotp', { to, ...parameters });
  return body.data.results[0].messageId;
}

it('the export contains the same messages as the list, with the same filters', async () => {
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const dead = await send({ authWay: 'SMS' });
  twilio.respondWith('accept');
  await send();
  const { html, headers } = await owner.get('/messages/export?state=failed');
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="passbell-messages-\d{4}-\d\d-\d\d\.csv"$/);
  expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  const lines = html.split('\r\n');
  expect(lines[0]).toBe(
    '"Message","Created","State","Channel","To","Template","Application","Finished","Reported","Failures","Sent","Charge","Currency","Test","Reference"',
  );
  expect(lines[1]).toMatch(new RegExp(`^"${dead}","2027-[^"]+Z","failed","SMS","'\\+1415\\*{5}01","otp","Test Shop"`));
  expect(lines.filter((line) => line.includes('"sent"'))).toEqual([]);
});

it('the export claims neither that a message with an unknown outcome was sent, nor that it cost nothing', async () => {
  const id = await send({ authWay: 'SMS' });
  const db = passbell.openDatabase();
  const attempt = { channel: 'SMS', provider: 'Twilio', success: false, message: 'Twilio did not reply in time' };
  const unknown = { ...attempt, ifSent: { charge: '0.0083', currency: 'USD', country: 'US' } };
  const lineWith = async (tried: object) => {
    await db('messages')
      .where({ id })
      .update({ state: 'failed', ending: 'failed', tried: JSON.stringify([tried]) });
    const { html } = await owner.get('/messages/export');
    return html.split('\r\n').find((line) => line.includes(id));
  };
  expect(await lineWith(unknown)).toContain('"SMS: Twilio did not reply in time","unknown","",');
  expect(await lineWith(attempt)).toContain('"SMS: Twilio did not reply in time","no","0.0000",');
  // It was sent before, and did not arrive.
  const price = { charge: '0.0083', currency: 'USD', country: 'US' };
  const earlier = { attempt: { ...attempt, success: true, price }, provider: 'environment-twilio', providerId: 'SM1' };
  await db('messages')
    .where({ id })
    .update({ earlier_sends: JSON.stringify([earlier]) });
  expect(await lineWith(attempt)).toContain('"yes","0.0083",');
  await db.destroy();
});

it('the export contains no cell that a spreadsheet interprets as a formula', async () => {
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, { name: `${HOSTILE}"` });
  passbell.clock.advance(2000);
  const id = await send({ to: '=ab@example.com' });
  twilio.respondWith(twilioError(400, 99999, '@SUM(1+1)*cmd|"calc"!A0'));
  await send({ authWay: 'SMS' });
  const { html } = await owner.get('/messages/export');
  const own = html.split('\r\n').find((line) => line.includes(id))!;
  expect(own).toContain(`"'=a***@example.com"`);
  expect(own).toContain(`"'${HOSTILE}"""`);
  const cells = [...html.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell!);
  expect(cells.length).toBeGreaterThan(20);
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

it('the export contains each of many messages once', async () => {
  const id = await send();
  const db = passbell.openDatabase();
  const like = await db('messages').where({ id }).first();
  const rows = Array.from({ length: 1203 }, (_, n) => ({
    ...like,
    id: `bulk${String(n).padStart(6, '0')}`,
    channel: 'VOICE',
    // Three messages have the same time, even at the boundary between two chunks.
    created_at: 1_700_000_000_000 + Math.floor(n / 3),
  }));
  for (let n = 0; n < rows.length; n += 50) await db('messages').insert(rows.slice(n, n + 50));
  await db.destroy();
  const { html } = await owner.get('/messages/export?channel=VOICE');
  const ids = html
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(1, 11));
  expect(new Set(ids).size).toBe(1203);
  expect(ids).toHaveLength(1203);
  expect(ids).toEqual([...ids].sort().reverse());
});
