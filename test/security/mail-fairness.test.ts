/** Emails that the mail server defers do not delay other applications' messages. */
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { until } from '../support/wait.js';

/** Enough failures to open the circuit breaker of every worker. */
const DEFERRED_MAILS = 30;

let server: TestSmtpServer;
let passbell: TestService;
beforeEach(async () => {
  server = await startSmtpServer();
  const settings = { SMTP_URL: server.url, MAIL_FROM: 'Shop <codes@shop.example>', SEND_WAIT_MS: '0' };
  passbell = await startService(settings);
});
afterEach(async () => {
  await passbell.stop();
  await server.close();
});

const repliesWith = (code: number) => (address: string) => (address.endsWith('@full.example') ? code : undefined);

it.each([
  ['mailboxes', { recipient: repliesWith(452) }],
  ['mailboxes whose connections are closed', { recipient: repliesWith(421) }],
  ['contents', { content: repliesWith(452) }],
  ['contents whose connections are closed', { content: repliesWith(421) }],
])('deferred %s of one application do not stop emails of another application', async (_what, behavior) => {
  const attacker = await passbell.application(NO_LIMITS);
  const shop = await passbell.application(NO_LIMITS);
  server.respondWith(behavior);
  for (let n = 0; n < DEFERRED_MAILS; n++)
    await passbell.post('/auth/sendotp', { to: `box${n}@full.example` }, { keys: attacker });
  // The test clock does not advance, so each email is tried once, and an open circuit breaker would stay open.
  await until('an attempt for each email', () => server.recipientCount() >= DEFERRED_MAILS);
  const to = freshMail();
  await passbell.post('/auth/sendotp', { to }, { keys: shop });
  await until('the email of the other application', () =>
    server.received.some(({ envelope }) => envelope.to[0] === to),
  );
});
