/** Who can open the channels page, and providers from the environment. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
import { accountOf, addGateway } from '../support/providers.js';
import { freshMail, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService({
    SMTP_URL: 'smtp://user:pa55word@127.0.0.1:2525',
    MAIL_FROM: 'codes@shop.example',
  });
});
afterAll(() => passbell.stop());

it('shows the page only to accounts that may add providers', async () => {
  const email = freshMail();
  const other = await signIn(passbell, 'owner', { account: email });
  const { id } = await addGateway(passbell, 'Local SMS', { url: 'http://127.0.0.1:1' }, { from: '+14155550100' });
  const shop = await passbell.core.applications.service.create(OPERATOR, { name: 'Shop', email });
  expect((await other.get('/channels')).status).toBe(404);
  expect((await other.get('/applications')).html).not.toContain('href="/dashboard/channels"');
  const { html: protection } = await other.get(`/applications/${shop.appKey}/protection/settings`);
  expect(protection).toContain('first sender number');
  expect(protection).not.toContain('href="/dashboard/channels"');
  await passbell.core.providers.service.allow(OPERATOR, await accountOf(passbell, email), true);
  expect((await other.get('/applications')).html).toContain('href="/dashboard/channels"');
  const { html } = await other.get('/channels');
  expect(html).not.toContain('Local SMS');
  // Only the operator can change the API address.
  expect((await other.get('/channels/add/twilio')).html).not.toContain('Address of the API');
  expect((await other.get(`/channels/providers/${id}`)).status).toBe(404);
});

it('shows providers from the environment as read-only', async () => {
  const visitor = await signIn(passbell);
  const { html } = await visitor.get('/channels');
  expect(html).toContain('Set up on the server');
  const { html: fixed } = await visitor.get('/channels/providers/environment-smtp');
  expect(fixed).toContain('codes@shop.example');
  expect(fixed).not.toMatch(/pa55word|<form[^>]*environment-smtp/);
});
