/** Codes, secrets and tokens never appear in plain text in the database, the log or an error. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sqlite } from '../../backend/src/platform/db/sqlite-driver.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { codeAt, createPage, fromBase32, STEP, userToken } from '../support/authenticator.js';
import { freshMail, freshPhone, startService, wrongCode, type Body, type TestService } from '../support/service.js';

const SECRET_KEY = 'canary-of-the-secret-key-0123456789abcdef';
const OLD_KEY = 'canary-of-the-older-key-0123456789abcdef';

let twilio: TwilioServer;
let passbell: TestService;
beforeAll(async () => void (twilio = await startTwilioServer()));
afterAll(() => twilio.close());
afterEach(() => passbell.stop());

function databaseBytes(dataDir: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('passbell.sqlite'));
  expect(files).toEqual(expect.arrayContaining(['passbell.sqlite', 'passbell.sqlite-wal']));
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n');
}

/** Tracks the secrets that must not appear, and collects the failed replies. */
class Canary {
  readonly secrets = new Set<string>();
  readonly failures: string[] = [];

  watch(...secrets: string[]): void {
    for (const secret of secrets) {
      // A shorter value could appear by chance.
      expect(secret.length).toBeGreaterThanOrEqual(8);
      this.secrets.add(secret);
    }
  }

  async post(path: string, body: unknown, options = {}): Promise<Body> {
    const reply = await passbell.post(path, body, options);
    if (!reply.success) this.failures.push(JSON.stringify(reply));
    return reply;
  }

  check(places: Record<string, string>): void {
    const found = Object.entries(places).flatMap(([place, text]) =>
      [...this.secrets].filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
    );
    expect(found).toEqual([]);
    expect(this.secrets.size).toBeGreaterThan(0);
  }

  checkAll(): void {
    this.check({
      database: databaseBytes(passbell.dataDir),
      log: passbell.logged.join('\n'),
      failures: this.failures.join('\n'),
    });
  }
}

/** Sends a code, enters wrong and correct codes, and uses and revokes the token. Also sends invalid requests. */
async function runFlow(canary: Canary, to: string, parameters: object): Promise<void> {
  const sent = await canary.post('/auth/sendotp', { to, ...parameters });
  const { maskId } = sent.data.results[0];
  const otp = (parameters as { otp?: string }).otp ?? (await passbell.codeFor(to));
  const wrong = /^\d+$/.test(otp) ? wrongCode(otp) : `${otp.slice(1)}x`;
  canary.watch(otp, wrong);
  await canary.post('/auth/verifyotp', { maskId, otp: wrong });
  await canary.post('/auth/verifyotp', { maskId, otp: [otp] });
  await canary.post('/auth/verifyotp', { maskId: otp, otp });
  await canary.post('/auth/verifyotp', `{"maskId":"${maskId}","otp":"${otp}"`);
  await passbell.get('/auth/verifyotp', { maskId, otp: wrong });
  const { token } = (await passbell.get('/auth/verifyotp', { maskId, otp })).data;
  canary.watch(token, ...token.split('.').slice(1));
  await canary.post('/auth/verifytoken', { token });
  await canary.post('/auth/verifytoken', { token: `${token}x` });
  await canary.post('/auth/verifytoken', { token: { token } });
  await canary.post('/auth/revokesession', { token });
  await canary.post('/auth/verifytoken', { token });
}

it('reveals no secret when codes are sent, entered and rejected on every channel, or when tokens are used', async () => {
  passbell = await startService({ SECRET_KEY: `${SECRET_KEY},${OLD_KEY}` });
  const canary = new Canary();
  canary.watch(SECRET_KEY, OLD_KEY, passbell.keys.appSecret);
  for (const authWay of ['SMS', 'WHATSAPP', 'VOICE']) await runFlow(canary, freshPhone(), { authWay, otpLength: 10 });
  await runFlow(canary, freshMail(), { otpLength: 10 });
  await runFlow(canary, freshPhone(), { otp: 'Zq7XkP2mNw' });
  const rotated = await passbell.core.applications.service.rotateSecret(OPERATOR, passbell.keys.appKey, 60);
  canary.watch(rotated.appSecret);
  const { appSecret } = passbell.keys;
  const swapped = { clientId: appSecret, clientSecret: passbell.keys.appKey };
  await canary.post('/auth/sendotp', {}, { headers: swapped });
  await canary.post('/auth/sendotp', {}, { headers: { clientSecret: `${appSecret}x` } });
  await canary.post('/auth/sendotp', { to: appSecret, authWay: appSecret });
  canary.checkAll();
  expect(databaseBytes(passbell.dataDir)).not.toMatch(/"d":"/);
});

it('reveals no secret from queued and failed messages', async () => {
  const settings = { TWILIO_ACCOUNT_SID: twilio.accountSid, TWILIO_AUTH_TOKEN: twilio.authToken };
  const urls = { TWILIO_API_URL: twilio.url, TWILIO_SMS_FROM: '+14155550100', SEND_WAIT_MS: '0' };
  passbell = await startService({ SECRET_KEY, ...settings, ...urls });
  const canary = new Canary();
  canary.watch(SECRET_KEY, twilio.authToken);
  const states = new Set<string>();
  for (const [error, code] of [
    [TWILIO_ERRORS.unavailable, 'Waiting123'],
    [TWILIO_ERRORS.invalidNumber, 'Failed1234'],
    [TWILIO_ERRORS.credentials, 'NoLogin123'],
  ] as const) {
    twilio.respondWith(error);
    canary.watch(code);
    const next = twilio.waitForRequest(twilio.requests.length + 1);
    await canary.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS', otp: code });
    expect((await next).form.Body).toContain(code);
    canary.checkAll();
  }
  for (const { state, payload } of await passbell.core.messages.lookup.newest({ limit: 10 })) {
    states.add(state);
    expect(payload).not.toBe('');
  }
  canary.checkAll();
});

it('reveals no two-factor secret, code, recovery code, token or address', async () => {
  passbell = await startService({ SECRET_KEY });
  const canary = new Canary();
  const identity = freshMail();
  const token = userToken(passbell.keys.appSecret, identity, passbell.clock.now() / 1000 + 60);
  canary.watch(SECRET_KEY, passbell.keys.appSecret, token, token.split('.')[1]!);
  const page = createPage(passbell, identity);
  const { manualKey, QRCoder } = await page.enable();
  canary.watch(manualKey, QRCoder);
  const { data } = await page.verify(codeAt(manualKey, passbell.clock.now()));
  canary.watch(data.token, ...data.recoveryCodes, ...data.recoveryCodes.map((code: string) => code.replace('-', '')));
  passbell.clock.advance(STEP);
  const body = { domainUrl: 'https://shop.example', appKey: passbell.keys.appKey, identity };
  for (const more of [
    { otp: [manualKey] },
    { otp: manualKey },
    { otp: data.recoveryCodes[0] },
    { otp: data.recoveryCodes[0] },
    { otp: '000000', maskId: manualKey },
    { userToken: token, otp: codeAt(manualKey, passbell.clock.now()) },
    { userToken: `${token}x`, otp: '1' },
  ])
    await canary.post('/authserviceclient/verifyotp', { ...body, ...more });
  await canary.post('/authserviceclient/enable2fa', { ...body, otp: manualKey });
  await canary.post('/authserviceclient/disable2fa', { ...body, otp: { manualKey } });
  canary.checkAll();
  const raw = fromBase32(manualKey);
  for (const form of [raw.toString('latin1'), raw.toString('hex'), raw.toString('base64url'), manualKey.toLowerCase()])
    expect(databaseBytes(passbell.dataDir)).not.toContain(form);
  expect(passbell.logged.join('\n')).not.toContain(identity);
});

it('reveals no secret when the database fails during a request', async () => {
  passbell = await startService({ SECRET_KEY });
  const canary = new Canary();
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, { otpLength: 10 });
  canary.watch(code, to, 'Broken1234');
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'));
  for (const table of ['messages', 'recipient_guesses', 'users'])
    db.exec(`alter table ${table} rename to ${table}_away`);
  db.close();
  const other = freshPhone();
  canary.watch(other);
  const replies = [
    await canary.post('/auth/sendotp', { to: other, otp: 'Broken1234' }),
    await canary.post('/auth/verifyotp', { maskId, otp: code }),
  ];
  for (const reply of replies) expect(reply).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
  canary.check({ log: passbell.logged.join('\n'), failures: canary.failures.join('\n') });
});

it('stores the generated key only in the key file', async () => {
  passbell = await startService();
  const canary = new Canary();
  canary.watch(readFileSync(join(passbell.dataDir, 'secret.key'), 'utf8').trim());
  await runFlow(canary, freshPhone(), { otpLength: 10 });
  canary.checkAll();
});

it('does not log recipients or query strings', async () => {
  passbell = await startService();
  const canary = new Canary();
  const phone = freshPhone();
  const mail = freshMail();
  canary.watch(phone, phone.slice(1), mail, '?maskId=', 'ffffffff');
  await passbell.get('/auth/sendotp', { to: phone });
  await passbell.get('/auth/sendotp', { to: mail });
  await passbell.get('/auth/verifyotp', { maskId: 'f'.repeat(32), otp: '123456' });
  canary.check({ log: passbell.logged.join('\n') });
  expect(passbell.logged.join('\n')).toContain('/api/v1/auth/sendotp');
});

it('stores equal codes with different hashes', async () => {
  passbell = await startService();
  for (let i = 0; i < 3; i++) await passbell.post('/auth/sendotp', { to: freshPhone(), otp: '123456' });
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'), { readonly: true });
  const rows = db.prepare('select code_hash from otp_sessions').all() as { code_hash: string }[];
  db.close();
  expect(new Set(rows.map((row) => row.code_hash)).size).toBe(3);
});
