/** Without a mail server, the pages that ask for an emailed code explain that the code is in the dev inbox. */
import { signIn, createVisitor } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';

const HINT = 'in the dev inbox. To find the inbox, look for “Dev inbox:” in the';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await signIn(passbell);
});
afterAll(() => passbell.stop());

const textOf = (html: string): string => html.replace(/\s+/g, ' ');

it('shows the hint on the sign-in pages', async () => {
  const visitor = createVisitor(passbell.url);
  expect(textOf((await visitor.get('/sign-in')).html)).toContain(HINT);
  const asked = await visitor.submit('/sign-in', '/sign-in', { email: freshMail() });
  expect(textOf((await visitor.follow(asked)).html)).toContain(HINT);
});

it('shows the hint on the confirmation page', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  passbell.clock.advance(16 * 60_000);
  const overview = `/applications/${passbell.keys.appKey}`;
  const { status, html } = await owner.submit(overview, `${overview}/secret`, { graceHours: '24' });
  expect([status, textOf(html)]).toEqual([403, expect.stringContaining(HINT)]);
});
