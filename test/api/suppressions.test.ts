/** Suppressed email addresses, and the unsubscribe link in notifications. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';
import { advancing, until } from '../support/wait.js';

let smtp: TestSmtpServer;
let passbell: TestService;
beforeAll(async () => {
  smtp = await startSmtpServer();
  passbell = await startService({ BASE_URL: CALLBACK_BASE, SMTP_URL: smtp.url, MAIL_FROM: 'Shop <shop@example.com>' });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(async () => {
  await passbell.stop();
  await smtp.close();
});
const application = async () => (await passbell.core.applications.service.find(passbell.keys.appKey))!;
let count = 0;
const notify = (to: string): Promise<Body> =>
  passbell.post('/notifications/order', { to, templateType: 'order_shipped', variables: { orderId: `B-${++count}` } });
const code = (to: string): Promise<Body> => passbell.post('/auth/sendotp', { to });

/** A report of an email provider on a message that was sent. */
async function report(sent: Body, status: 'hardBounce' | 'softBounce' | 'complaint' | undefined): Promise<void> {
  const { messageId: id } = sent.data.results[0];
  const reportedState = status === undefined || status === 'complaint' ? 'delivered' : 'undelivered';
  const message = { id, type: 'reported', provider: 'environment-smtp', providerId: 'id', reportedState } as const;
  const db = passbell.openDatabase();
  await db('messages').where({ id }).update({ provider_id: 'id' });
  await db.destroy();
  await passbell.core.messages.service.report({ ...message, reason: '550 no such user', recipientStatus: status });
}

describe.each(['hardBounce', 'complaint'] as const)('after a %s', (status) => {
  it('neither notifications nor codes are sent, until a person removes the address', async () => {
    const to = freshMail();
    await report(await notify(to), status);
    const refused = await notify(to.toUpperCase());
    expect(refused).toMatchObject({ success: false, code: 'RECIPIENT_SUPPRESSED', field: 'to' });
    expect(refused.message).toMatch(/suppressed since \d{4}-\d\d-\d\d because the /);
    expect(await code(to)).toMatchObject({ code: 'RECIPIENT_SUPPRESSED' });
    const { accountId } = await application();
    const { service } = passbell.core.suppressions;
    expect(await service.list(OPERATOR, accountId, to)).toMatchObject([{ address: to, reason: status }]);
    expect(await service.remove(OPERATOR, accountId, to)).toBe(true);
    expect(await notify(to)).toMatchObject({ success: true });
    expect(await code(to)).toMatchObject({ success: true });
  });
});

it('three soft bounces in a row suppress an address; a delivery starts the count again', async () => {
  const to = freshMail();
  for (const status of ['softBounce', 'softBounce', undefined, 'softBounce', 'softBounce'] as const)
    await report(await notify(to), status);
  const third = await notify(to);
  expect(third).toMatchObject({ success: true });
  await report(third, 'softBounce');
  await report(third, 'softBounce');
  expect(await notify(to)).toMatchObject({ code: 'RECIPIENT_SUPPRESSED' });
});

it('imports, exports and erases addresses', async () => {
  const { accountId } = await application();
  const { service } = passbell.core.suppressions;
  const to = freshMail();
  expect(await service.importList(OPERATOR, accountId, 'Address\n+15550100\n')).toEqual({ added: 0, wrongLines: [2] });
  expect(await service.importList(OPERATOR, accountId, `"Address","Reason"\n"${to}","complaint"\n`)).toMatchObject({
    added: 1,
  });
  expect(await service.importList(OPERATOR, accountId, to)).toMatchObject({ added: 0 });
  expect(await code(to)).toMatchObject({ code: 'RECIPIENT_SUPPRESSED' });
  const { erased } = (await passbell.core.erasure.service.erase(OPERATOR, [await application()], to))!;
  expect(erased.suppressions).toBe(1);
  expect(await code(to)).toMatchObject({ success: true });
});

it('imports every address of a line, and reports lines with anything else', async () => {
  const { accountId } = await application();
  const { service } = passbell.core.suppressions;
  const one = freshMail();
  const two = freshMail();
  const three = freshMail();
  const four = freshMail();
  const list = `nobody\n${one}, ${two}\n${three};${four};\n${freshMail()}, x, y@\n;;\n`;
  expect(await service.previewList(OPERATOR, accountId, list)).toMatchObject({ added: 5, wrongLines: [1] });
  expect(await service.previewList(OPERATOR, accountId, `${one}, ${two}, bob`)).toMatchObject({
    added: 2,
    wrongLines: [1],
  });
  // In a table, only the first column is the recipient.
  const table = `Email,From\n${one},${two}`;
  expect(await service.previewList(OPERATOR, accountId, table)).toMatchObject({ added: 1, wrongLines: [] });
});

it('imports thousands of addresses with repetitions, and keeps the more specific reason', async () => {
  const { accountId } = await application();
  const { service } = passbell.core.suppressions;
  const lines = Array.from({ length: 1100 }, (_, n) => `many${n}@example.com`);
  const csv = [...lines, 'MANY0@example.com', 'many1099@example.com,complaint'].join('\n');
  expect(await service.importList(OPERATOR, accountId, csv)).toEqual({ added: 1100, wrongLines: [] });
  expect(await service.list(OPERATOR, accountId, 'many1099@')).toMatchObject([{ reason: 'complaint' }]);
});

describe('the unsubscribe link', () => {
  const linkIn = (to: string): string | undefined => {
    const { raw } = smtp.received.filter(({ envelope }) => envelope.to.includes(to)).at(-1)!;
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]/g, '');
    return /List-Unsubscribe: ?<https:\/\/otp\.example(\/[^>\s]+)>/.exec(headers)?.[1];
  };

  it('is in notifications, not in codes, contains no address, and works by one POST', async () => {
    const to = freshMail();
    await code(to);
    expect(linkIn(to)).toBeUndefined();
    await notify(to);
    const link = linkIn(to)!;
    expect(link).toBeDefined();
    expect(decodeURIComponent(link)).not.toContain(to);
    const page = await (await passbell.fetch(link)).text();
    expect(page).toContain('<form method="post">');
    expect(await notify(to)).toMatchObject({ success: true });
    const post = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await passbell.fetch(link, post, form)).status).toBe(200);
    expect(await notify(to)).toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
    expect(await code(to)).toMatchObject({ success: true });
    expect(await (await passbell.fetch(link)).text()).toContain('<button>Undo</button>');
    expect((await passbell.fetch(link, { method: 'POST', body: 'subscribe=yes' }, form)).status).toBe(200);
    expect(await notify(to)).toMatchObject({ success: true });
  });

  it('is also in the weekly email of the dashboard', async () => {
    const { person } = await signIn(passbell, 'owner', { email: freshMail() });
    const { weeklyEmails } = passbell.core.people;
    await weeklyEmails.set(person!, true);
    passbell.clock.advance(7 * DAY);
    await weeklyEmails.sendDue(async () => ({ title: 'Your week', text: 'Nothing happened.', items: [] }));
    const isMailed = () => smtp.received.some(({ envelope }) => envelope.to.includes(person!.email));
    await until('the weekly email', isMailed, advancing(passbell.clock, 1000));
    expect(linkIn(person!.email)).toMatch(/^\/dashboard\/weekly-email\/stop\?token=/);
  });

  it('cannot be used to publish any number of events', async () => {
    const to = freshMail();
    await notify(to);
    const link = linkIn(to)!;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const post = (body: string) => passbell.fetch(link, { method: 'POST', body }, { headers });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await post(n % 2 === 0 ? 'unsubscribe=yes' : 'subscribe=yes')).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429, 200]);
    const rejected = await post('unsubscribe=yes');
    expect(rejected.headers.get('Retry-After')).toBe('3600');
    expect(await rejected.text()).toContain('Nothing was changed');
    passbell.clock.advance(3_600_000);
    expect((await post('unsubscribe=yes')).status).toBe(200);
  });

  it('is rejected if its token is forged', async () => {
    for (const token of [
      '',
      'a.b.c.d',
      passbell.core.keyring.seal('another', '[1,"ana@example.com"]'),
      'x'.repeat(5000),
    ])
      for (const method of ['GET', 'POST'])
        expect((await passbell.fetch(`/unsubscribe?token=${token}`, { method })).status).toBe(404);
  });
});
