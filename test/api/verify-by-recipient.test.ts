/** verifyOtp: verification by recipient, and repeated verifications after a lost reply. */
import { decodeJwt } from 'jose';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { createOtpStore } from '../../backend/src/modules/otp/otp-store.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import {
  freshMail,
  freshPhone,
  NO_SEND_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_SEND_LIMITS);
});
afterAll(() => passbell.stop());

const send = (to: string, parameters: object = {}) => passbell.send(to, parameters, { keys });
const verify = (body: object, key?: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', body, { keys, headers: { 'Idempotency-Key': key } });
const INVALID = { success: false, message: 'Invalid OTP', code: 'INVALID_OTP' };
/** Returns the token's header and claims, without its signature. */
const sessionOf = ({ success, data }: Body) => ({ success, ...data, token: decodeJwt(data.token) });

describe('to instead of maskId', () => {
  it.each([
    ['a phone number', freshPhone(), (to: string) => to],
    [
      'another format of a phone number',
      freshPhone(),
      (to: string) => to.replace('+1', '001 (').replace(/(.{9})/, '$1) '),
    ],
    ['an email address', freshMail(), (to: string) => to],
  ])('finds the code of %s', async (_kind, to, format) => {
    const { code } = await send(to);
    const user = to.includes('@') ? { email: to } : { phone: to };
    expect(await verify({ to: format(to), otp: code })).toMatchObject({ success: true, data: { user } });
    expect(await verify({ to, otp: code })).toMatchObject(INVALID);
  });

  it('is accepted in a query string', async () => {
    const to = freshPhone();
    const { code } = await send(to);
    expect(await passbell.get('/auth/verifyotp', { to, otp: code }, { keys })).toMatchObject({ success: true });
  });

  it('selects the newest code, or the newest code on the given channel', async () => {
    const to = freshPhone();
    const sms = await send(to, { authWay: 'SMS', otp: '111111' });
    const voice = await send(to, { authWay: 'VOICE', otp: '222222' });
    expect(await verify({ to, otp: sms.code })).toMatchObject(INVALID);
    expect(await verify({ to, otp: voice.code, authWay: 'sms' })).toMatchObject(INVALID);
    expect(await verify({ to, otp: sms.code, authWay: 'sms' })).toMatchObject({ success: true });
    expect(await verify({ to, otp: voice.code })).toMatchObject(INVALID);
  });

  it('skips expired codes', async () => {
    const to = freshPhone();
    const older = await send(to, { expiry: 60 });
    const newer = await send(to, { expiry: 1 });
    passbell.clock.advance(60_000);
    expect(await verify({ to, otp: newer.code })).toMatchObject(INVALID);
    expect(await verify({ to, otp: older.code })).toMatchObject({ success: true });
  });

  it('is ignored if the request contains a maskId', async () => {
    const first = freshPhone();
    const second = freshPhone();
    const { maskId, code } = await send(first);
    await send(second);
    expect(await verify({ maskId, to: second, otp: code })).toMatchObject({
      success: true,
      data: { user: { phone: first } },
    });
  });

  it('does not match codes of other applications', async () => {
    const to = freshPhone();
    const { code } = await passbell.send(to);
    expect(await verify({ to, otp: code })).toMatchObject(INVALID);
  });

  it('finds the fixed code of a test recipient', async () => {
    const to = '+14155550199';
    const pair = await passbell.application({ ...NO_SEND_LIMITS, settings: { testRecipients: { [to]: '424242' } } });
    await passbell.post('/auth/sendotp', { to }, { keys: pair });
    expect(await passbell.post('/auth/verifyotp', { to, otp: '424242' }, { keys: pair })).toMatchObject({
      success: true,
    });
  });

  it('must be a phone number or an email address', async () => {
    for (const to of ['nobody', '12', ['+14155550123']])
      expect(await verify({ to, otp: '123456' })).toMatchObject({ success: false, code: 'INVALID_RECIPIENT' });
    expect(await verify({ to: freshPhone(), authWay: 'FAX', otp: '1' })).toMatchObject({ code: 'INVALID_AUTH_WAY' });
    expect(await verify({ to: ' ', otp: '123456' })).toMatchObject({ code: 'MISSING_PARAMETERS' });
  });

  it('must be an address to which a code can be sent; otherwise, the reply is that of sendotp, and no attempt is counted', async () => {
    for (const to of ['(415) 555-0199', '0151 23456789', '+999123456789', '+18005550199', 'ana@example', '12']) {
      const { field, ...refused }: Body = await passbell.post('/auth/sendotp', { to }, { keys });
      expect(field).toBe('to');
      for (let n = 0; n < 7; n++) expect(await verify({ to, otp: `12345${n}` })).toEqual({ field, ...refused });
    }
    expect(await verify({ to: '', otp: '123456' })).toMatchObject({
      code: 'MISSING_PARAMETERS',
      hint: expect.stringContaining('maskId or to'),
    });
  });

  it('counts a code of the wrong type as a wrong code', async () => {
    const to = freshPhone();
    const { code } = await send(to);
    for (let n = 0; n < 5; n++) expect(await verify({ to, otp: [code] })).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await verify({ to, otp: code })).toMatchObject({ code: 'OTP_LOCKED' });
  });
});

describe('wrong codes', () => {
  it('get the same replies whether or not a code was sent', async () => {
    const guess = async (to: string, otp: (n: number) => string): Promise<Body[]> => {
      const replies: Body[] = [];
      for (let n = 1; n <= 8; n++) replies.push(await verify({ to, otp: otp(n) }));
      return replies;
    };
    const to = freshPhone();
    const { code } = await send(to);
    const sent = await guess(to, (n) => wrongCode(code, n));
    expect(sent.map((reply) => reply.code)).toEqual([...Array(5).fill('INVALID_OTP'), ...Array(3).fill('OTP_LOCKED')]);
    expect(await guess(freshPhone(), (n) => `00000${n}`)).toEqual(sent);
  });

  it('share their limits whether the request contains the maskId or the recipient, and across all codes of the recipient', async () => {
    const to = freshPhone();
    const { maskId, code } = await send(to);
    for (let n = 1; n <= 5; n++)
      await verify(n % 2 ? { to, otp: wrongCode(code, n) } : { maskId, otp: wrongCode(code, n) });
    expect(await verify({ to, otp: code })).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 60 });
    for (let session = 0; session < 3; session++) {
      const next = await send(to);
      for (let n = 1; n <= 5; n++) expect(await verify({ to, otp: wrongCode(next.code, n) })).toMatchObject(INVALID);
    }
    const last = await send(to);
    expect(await verify({ to, otp: last.code })).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 3600 });
  });

  it('that are entered before a code is sent do not lock the recipient', async () => {
    const to = freshPhone();
    for (let n = 1; n <= 6; n++) await verify({ to, otp: `00000${n}` });
    expect(await verify({ to, otp: '000000' })).toMatchObject({ code: 'OTP_LOCKED' });
    const { code } = await send(to);
    expect(await verify({ to, otp: code })).toMatchObject({ success: true });
  });

  /** Verifies a code of a recipient without a code. Returns a query for the decoy. */
  async function createDecoy(db: Database, to: string) {
    const decoys = () => db('otp_sessions').where({ code_hash: '-.-' });
    const earlier = await decoys().pluck('id');
    await verify({ to, otp: '000000' });
    return () => decoys().whereNotIn('id', earlier);
  }

  it('for a recipient without a code are stored without the address, and deleted when the decoy expires', async () => {
    const to = freshPhone();
    const db = passbell.openDatabase();
    const decoys = await createDecoy(db, to);
    expect(await decoys()).toHaveLength(1);
    expect(JSON.stringify(await decoys())).not.toContain(to.slice(1));
    passbell.clock.advance(300_000);
    await createOtpStore(db).cleanUp(passbell.clock.now());
    expect(await decoys()).toEqual([]);
    await db.destroy();
  });

  it('that expired while no process was running are deleted with the other sessions', async () => {
    const db = passbell.openDatabase();
    const decoys = await createDecoy(db, freshPhone());
    const restart = passbell.clock.now() + 20 * 60_000;
    await createOtpStore(db).cleanUp(restart);
    expect(await decoys()).toHaveLength(1);
    await createOtpStore(db).cleanUp(restart + 7 * 86_400_000);
    expect(await decoys()).toEqual([]);
    await db.destroy();
  });
});

describe('a repeated verification', () => {
  it.each(['maskId', 'to'])('by %s with the same Idempotency-Key gets the same token for 24 hours', async (by) => {
    const to = freshPhone();
    const { maskId, code } = await send(to);
    const session = by === 'to' ? { to } : { maskId };
    const first = await verify({ ...session, otp: code }, 'attempt-1');
    passbell.clock.advance(86_400_000 - 1);
    expect(sessionOf(await verify({ ...session, otp: code }, 'attempt-1'))).toEqual(sessionOf(first));
    expect(await verify({ ...session, otp: code }, 'attempt-2')).toMatchObject(INVALID);
    expect(await verify({ ...session, otp: code })).toMatchObject(INVALID);
    passbell.clock.advance(1);
    expect(await verify({ ...session, otp: code }, 'attempt-1')).toMatchObject(INVALID);
  });

  it('publishes no further event, and gets a token that is revoked together with the first token', async () => {
    const { maskId, code } = await send(freshPhone());
    const eventsOf = async () =>
      (await passbell.get('/webhooks/recent', { event: 'otp.verified' }, { keys })).data.events.filter(
        (event: Body) => event.data.maskId === maskId,
      );
    const first = await verify({ maskId, otp: code }, 'once');
    await passbell.post('/auth/revokesession', { token: first.data.token }, { keys });
    const second = await verify({ maskId, otp: code }, 'once');
    expect(await passbell.post('/auth/verifytoken', { token: second.data.token }, { keys })).toMatchObject({
      code: 'TOKEN_REVOKED',
    });
    expect(await eventsOf()).toHaveLength(1);
  });

  it('counts wrong codes, so that the key does not allow additional guesses', async () => {
    const { maskId, code } = await send(freshPhone());
    await verify({ maskId, otp: code }, 'guessed');
    for (let n = 1; n <= 5; n++)
      expect(await verify({ maskId, otp: wrongCode(code, n) }, 'guessed')).toMatchObject(INVALID);
    expect(await verify({ maskId, otp: code }, 'guessed')).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 60 });
  });

  it('is rejected in another application, and after the recipient has been erased', async () => {
    const to = freshPhone();
    const { maskId, code } = await send(to);
    await verify({ maskId, otp: code }, 'shared');
    const body = { maskId, otp: code };
    expect(await passbell.post('/auth/verifyotp', body, { headers: { 'Idempotency-Key': 'shared' } })).toMatchObject(
      INVALID,
    );
    const { erasure, applications } = passbell.core;
    await erasure.service.erase(OPERATOR, [await applications.service.load(keys.appKey)], to);
    expect(await verify(body, 'shared')).toMatchObject(INVALID);
  });

  it('without a key is accepted from the same IP address for a minute if the reply was lost', async () => {
    const application = await passbell.core.applications.service.load(keys.appKey);
    const verifyFrom = (maskId: string, otp: string, source: string) =>
      passbell.core.otp.service.verify(application, { maskId, otp }, { source }).then(
        ({ token }) => decodeJwt(token.token),
        (error: { code: string }) => error.code,
      );
    const { maskId, code } = await send(freshPhone());
    const first = await verifyFrom(maskId, code, '198.51.100.7');
    expect(await verifyFrom(maskId, code, '198.51.100.7')).toBe('INVALID_OTP');
    await passbell.core.otp.service.replyLost(application, maskId, '198.51.100.7');
    expect(await verifyFrom(maskId, code, '198.51.100.8')).toBe('INVALID_OTP');
    expect(await verifyFrom(maskId, code, '198.51.100.7')).toEqual(first);
    passbell.clock.advance(60_000);
    expect(await verifyFrom(maskId, code, '198.51.100.7')).toBe('INVALID_OTP');
  });
});
