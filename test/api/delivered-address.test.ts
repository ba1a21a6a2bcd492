/** A code proves the address to which it was delivered, and no other address that shares its limits. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
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

/** Sends a code, and returns it. */
const send = async (to: string): Promise<string> => (await passbell.send(to, {}, { keys })).code;
const verify = (to: string, otp: string): Promise<Body> => passbell.post('/auth/verifyotp', { to, otp }, { keys });
const report = (to: string): Promise<Body> => passbell.post('/auth/reportverified', { to }, { keys });

/** Addresses that share their limits, but may be different mailboxes. */
const NEIGHBOURS: [name: string, delivered: string, other: string][] = [
  ['the address without its plus-tag', 'vic+evil@corp.example', 'vic@corp.example'],
  ['the same address with a plus-tag', 'vik@corp.example', 'vik+other@corp.example'],
  ['an address with another plus-tag', 'van+a@corp.example', 'van+b@corp.example'],
  ['a Gmail address without dots', 'v.i.l@gmail.com', 'vil@gmail.com'],
  ["Gmail's other domain", 'vol@gmail.com', 'vol@googlemail.com'],
];

it.each(NEIGHBOURS)('a code does not verify %s', async (_name, delivered, other) => {
  const code = await send(delivered);
  expect(await verify(other, code)).toMatchObject({ success: false, code: 'INVALID_OTP' });
  expect(await verify(delivered, code)).toMatchObject({ success: true, data: { user: { email: delivered } } });
});

it.each(NEIGHBOURS)('a code is not reported as verified for %s', async (_name, delivered, other) => {
  await send(delivered);
  expect(await report(other)).toMatchObject({ success: false, code: 'MESSAGE_NOT_FOUND' });
  expect(await report(delivered)).toMatchObject({ success: true });
});

it('a newer code of another plus-address does not hide the code of the recipient', async () => {
  const to = freshMail();
  const code = await send(to);
  const other = await send(to.replace('@', '+tag@'));
  expect(await verify(to, other)).toMatchObject({ code: 'INVALID_OTP' });
  expect(await verify(to, code)).toMatchObject({ success: true });
});

it.each([
  ['an email address in another letter case', 'Bo.Case@letters.example', 'bo.case@LETTERS.example'],
  ['an email address with its domain in Unicode', 'bo@xn--bcher-kva.example', ' BO@bücher.example'],
  ['a phone number with spaces', '+14155550188', '001 (415) 555-0188'],
  ['an Argentine number without the 9 for mobile numbers', '+5491123456780', '+54 11 2345 6780'],
  ['an Argentine number with the 9 for mobile numbers', '+541123456781', '+54 9 11 2345 6781'],
  ['a Mexican number with the former prefix', '+525512345678', '+52 1 55 1234 5678'],
])('a code verifies %s', async (_name, delivered, spelling) => {
  const code = await send(delivered);
  expect(await report(spelling)).toMatchObject({ success: true });
  expect(await verify(spelling, code)).toMatchObject({ success: true });
});

it('a verified code invalidates the codes of its recipient in another letter case, but not those of a plus-address', async () => {
  const to = freshMail();
  const tagged = to.replace('@', '+tag@');
  const codeOf = (address: string) => passbell.send(address, {}, { keys });
  const upper = await codeOf(to.toUpperCase());
  const tag = await codeOf(tagged);
  const lower = await codeOf(to);
  expect(await verify(to, lower.code)).toMatchObject({ success: true });
  const verifySession = ({ maskId, code }: Body) => passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
  expect(await verifySession(upper)).toMatchObject({ code: 'INVALID_OTP' });
  expect(await verifySession(tag)).toMatchObject({ success: true });
});

describe('wrong codes', () => {
  it('for several plus-addresses count together', async () => {
    const to = freshMail();
    for (let tag = 0; tag < 5; tag++) {
      const tagged = to.replace('@', `+${tag}@`);
      const code = await send(tagged);
      for (let n = 1; n <= 4; n++)
        expect(await verify(tagged, wrongCode(code, n))).toMatchObject({ code: 'INVALID_OTP' });
    }
    const code = await send(to);
    expect(await verify(to, code)).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 3600 });
  });

  it('for a plus-address without a code do not reveal whether a code was sent to the address', async () => {
    const guessBoth = async (to: string): Promise<Body[]> => {
      const replies: Body[] = [];
      for (const address of [to, to.replace('@', '+tag@')])
        for (let n = 0; n < 6; n++) replies.push(await verify(address, `x${n}`));
      return replies;
    };
    const to = freshMail();
    await send(to);
    expect(await guessBoth(freshMail())).toEqual(await guessBoth(to));
  });

  it('for one recipient in different letter cases count together, whether or not a code was sent', async () => {
    const guess = async (to: string): Promise<Body[]> => {
      const replies: Body[] = [];
      for (let n = 0; n < 6; n++) replies.push(await verify(n % 2 ? to : to.toUpperCase(), `x${n}`));
      return replies;
    };
    const to = freshMail();
    await send(to);
    const sent = await guess(to);
    expect(sent.map(({ code }) => code)).toEqual([...Array(5).fill('INVALID_OTP'), 'OTP_LOCKED']);
    expect(await guess(freshMail())).toEqual(sent);
  });
});

it('a test recipient is found by its address', async () => {
  const to = freshPhone();
  const mail = 'Qa@test.example';
  const testRecipients = { [to]: '424242', [mail]: '434343' };
  const pair = await passbell.application({ ...NO_SEND_LIMITS, settings: { testRecipients } });
  for (const [address, otp] of Object.entries(testRecipients)) {
    await passbell.post('/auth/sendotp', { to: address }, { keys: pair });
    const reply = await passbell.post('/auth/verifyotp', { to: address, otp }, { keys: pair });
    expect(reply).toMatchObject({ success: true });
  }
});
