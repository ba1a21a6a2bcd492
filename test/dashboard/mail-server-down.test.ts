/** While the mail server does not respond, pages that ask for an emailed code do not promise that it arrives. */
import { createVisitor, signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

const MAIL_FROM = 'codes@shop.example';
const NOTICE = 'The mail server isn&#39;t responding, so the code may arrive late or not at all.';

let smtp: TestSmtpServer;
let passbell: TestService;
beforeAll(async () => {
  smtp = await startSmtpServer({ credentials: { user: 'shop', password: 'correct' } });
  passbell = await startService({ SMTP_URL: smtp.url.replace('//', '//shop:wrong@'), MAIL_FROM });
});
afterAll(async () => {
  await passbell.stop();
  await smtp.close();
});

const textOf = (html: string): string => html.replace(/\s+/g, ' ').replaceAll("'", '&#39;');

async function codePage(email: string): Promise<string> {
  const visitor = createVisitor(passbell.url);
  const asked = await visitor.submit('/sign-in', '/sign-in', { email });
  const { html } = await visitor.follow(asked);
  return textOf(html)
    .replaceAll(email, 'ADDRESS')
    .replace(/value="[\w.-]{20,}"/g, 'value="TOKEN"');
}

async function confirmationPage(): Promise<string> {
  const owner: Visitor = await signIn(passbell, 'owner', { email: freshMail() });
  passbell.clock.advance(16 * 60_000);
  const overview = `/applications/${passbell.keys.appKey}`;
  return textOf((await owner.submit(overview, `${overview}/secret`, { graceHours: '24' })).html);
}

it('the pages show a notice if the mail server rejects the login, for known and unknown addresses alike', async () => {
  const { person } = await signIn(passbell, 'owner', { email: freshMail() });
  const known = await codePage(person!.email);
  expect(known).toContain(NOTICE);
  expect(known).toContain('we are trying to send a six-digit code');
  expect(await codePage(freshMail())).toBe(known);
  expect(await confirmationPage()).toContain(NOTICE);
});

it('the pages show no notice if the mail server responds, or as soon as it responds again', async () => {
  passbell = await passbell.restart({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM });
  expect(await codePage(freshMail())).toContain(NOTICE);
  passbell = await passbell.restart({ SMTP_URL: smtp.url.replace('//', '//shop:correct@'), MAIL_FROM });
  const html = await codePage(freshMail());
  expect(html).not.toContain(NOTICE);
  expect(html).toContain('we&#39;ve sent a six-digit code');
  expect(await confirmationPage()).not.toContain(NOTICE);
});
