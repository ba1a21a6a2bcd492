/** The pages of applications. */
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());

it('lists the applications of the account', async () => {
  const owner = await signIn(passbell);
  const { status, html } = await owner.get('/applications');
  expect(status).toBe(200);
  expect(html).toContain('Test Shop');
  expect(html).toContain(passbell.keys.appKey);
});

it("does not show another account's application, nor tells that there is one", async () => {
  const stranger = await signIn(passbell, 'owner', { account: 'other@example.com' });
  const { html } = await stranger.get('/applications');
  expect(html).toContain('No application yet');
  const foreign = await stranger.get(`/applications/${passbell.keys.appKey}`);
  const absent = await stranger.get(`/applications/pk_${'0'.repeat(32)}`);
  expect(foreign.status).toBe(404);
  expect(foreign.html).toBe(absent.html);
});

it('leads who is not signed in to where they can', async () => {
  const response = await fetch(`${passbell.url}/dashboard/applications`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('Location')).toBe('/dashboard/sign-in?next=%2Fdashboard%2Fapplications');
});
