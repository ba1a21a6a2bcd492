/** Text from operators and callers is escaped in SQL, emails and messages. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

/** Sends a code for a new application called `name`, and returns the delivered message. */
async function messageOf(name: string, to: string) {
  const keys = await passbell.core.applications.service.create(OPERATOR, { name });
  await passbell.send(to, {}, { keys });
  return (await passbell.inbox(to))[0]!;
}

it('delivers SQL, quotes and emoji in a name unchanged', async () => {
  const name = `O'Brien "Shop"; drop table applications; -- %_\\ 👩‍👩‍👧 ñ`;
  expect((await messageOf(name, freshPhone())).text).toContain(`is your ${name} code`);
  expect(await passbell.get('/auth/authentication')).toMatchObject({ success: true });
});

it('escapes a name in the HTML of an email', async () => {
  const { html, text, subject } = await messageOf(`<img src=x onerror="alert('1')">&amp;`, freshMail());
  expect(html).not.toMatch(/<img/);
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;');
  for (const plain of [text, subject]) expect(plain).toContain('<img src=x');
});

it('removes line breaks and direction marks from names in subjects and messages', async () => {
  const name = 'Shop\r\nBcc: evil@example.com\u2028x\u202egpj.exe\u0000';
  const mail = await messageOf(name, freshMail());
  expect(mail.subject).not.toMatch(/[\x00-\x1f\u2028\u202e]/);
  expect(mail.subject).toContain('Shop Bcc: evil@example.com x');
  const sms = await messageOf(name, freshPhone());
  expect(sms.text).not.toMatch(/[\x00-\x1f\u2028\u202e]/);
});

it('does not evaluate template syntax in a name', async () => {
  const name = '{{code}} ${code} <%= code %> %s $1 $& {application}';
  expect((await messageOf(name, freshPhone())).text).toContain(`is your ${name} code`);
});

it('rejects recipients that inject headers or other recipients', async () => {
  const before = (await passbell.inbox()).length;
  for (const to of [
    'ana@example.com\r\nBcc: bob@example.com',
    'ana@example.com, bob@example.com',
    'ana@example.com%0ABcc:bob@example.com',
  ])
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: false, code: 'INVALID_RECIPIENT' });
  expect(await passbell.inbox()).toHaveLength(before);
});

it('rejects SQL in a maskId, a token or a key', async () => {
  const { code } = await passbell.send(freshPhone());
  for (const sql of [
    "' or '1'='1",
    "x' union select * from otp_sessions --",
    '%',
    '_'.repeat(32),
    `${'f'.repeat(31)}'`,
  ]) {
    expect(await passbell.post('/auth/verifyotp', { maskId: sql, otp: code })).toMatchObject({ code: 'INVALID_OTP' });
    expect(await passbell.post('/auth/verifytoken', { token: sql })).toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await passbell.get('/auth/authentication', {}, { headers: { clientId: sql } })).toMatchObject({
      success: false,
    });
  }
});
