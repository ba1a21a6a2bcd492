/** The page **Suppressions**: each account sees and changes only its own list, and texts of strangers are harmless. */
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  stranger = await signIn(passbell, 'owner', { account: 'stranger@example.com' });
});
afterAll(() => passbell.stop());

const application = () => passbell.core.applications.service.load(passbell.keys.appKey);

async function suppress(address: string, details: string | null = null): Promise<void> {
  const { id: applicationId } = await application();
  const report = {
    applicationId,
    template: 'otp',
    recipient: address,
    channel: 'EMAIL',
    status: 'hardBounce',
  } as const;
  const db = passbell.openDatabase();
  await passbell.core.suppressions.record(db, { ...report, provider: 'SMTP', details });
  await db.destroy();
}

it('shows and changes only the list of its own account', async () => {
  const to = freshMail();
  const phone = freshPhone();
  await suppress(to);
  const { id: applicationId } = await application();
  const decision = { channel: 'SMS', address: phone, optedOut: true, source: 'reply', word: 'stop' } as const;
  await passbell.core.suppressions.optOuts.change([{ applicationId, ...decision }]);

  expect((await owner.get('/suppressions')).html).toContain(to);
  expect((await owner.get('/suppressions')).html).toContain(phone);
  expect((await owner.get('/suppressions/export')).html).toContain(to);
  for (const path of ['/suppressions', '/suppressions/export']) {
    const { status, html } = await stranger.get(path);
    expect(status).toBe(200);
    expect(html).not.toContain(to);
    expect(html).not.toContain(phone);
  }
  const { token } = hiddenFields((await stranger.get('/suppressions/import')).html, '/dashboard/suppressions/import');
  await stranger.post('/suppressions/remove', { token: token!, address: to });
  expect((await owner.get('/suppressions')).html).toContain(to);
  expect((await owner.submit('/suppressions', '/suppressions/remove', { address: to })).location).not.toContain(to);
  expect((await owner.get('/suppressions')).html).not.toContain(`Remove ${to}`);
});

it('imports a list on its own page, which names wrong lines', async () => {
  const path = '/suppressions/import';
  const wrong = await owner.submit(path, path, { list: `${freshMail()}\nnobody` });
  expect([wrong.status, wrong.html]).toEqual([
    422,
    expect.stringContaining('These lines contain no email address: 2.'),
  ]);
  for (const list of ['', ' \n']) {
    const empty = await owner.submit(path, path, { list });
    expect([empty.status, empty.html]).toEqual([422, expect.stringContaining('Choose a file or paste addresses.')]);
  }
  const to = freshMail();
  const added = await owner.follow(await owner.submit(path, path, { list: to }));
  expect(added.html).toMatch(new RegExp(`Added addresses: 1\\.[^]*Remove ${to}`));
  const viewer = await signIn(passbell, 'viewer');
  expect((await viewer.get(path)).status).toBe(403);
  expect((await viewer.get('/suppressions')).html).not.toContain('Import addresses');
});

it("shows a provider's words as text, and exports no formulas", async () => {
  await suppress(freshMail(), '=HYPERLINK("https://evil.example")<script>alert(1)</script>');
  expect((await owner.get('/suppressions')).html).not.toContain('<script>alert');
  expect((await owner.get('/suppressions/export')).html).toContain(
    `"'=HYPERLINK(""https://evil.example"")<script>alert(1)</script>"`,
  );
});
