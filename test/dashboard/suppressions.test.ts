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

it('adds one address, and says if it is already suppressed', async () => {
  const path = '/suppressions/import';
  const wrong = await owner.submit(path, path, { list: 'ana' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('Enter an email address')]);
  const address = freshMail();
  const add = async () => owner.follow(await owner.submit(path, path, { list: address }));
  expect((await add()).html).toMatch(
    new RegExp(`Nothing is sent to ${address} until you remove it\\.[^]*Remove ${address}`),
  );
  expect((await add()).html).toContain(`${address} is already suppressed.`);
  const member = await signIn(passbell, 'member');
  expect((await member.get('/suppressions')).html).not.toContain('Add addresses');
});

it('shows what an import will do, and imports only a list that was checked', async () => {
  const path = '/suppressions/import';
  const known = freshMail();
  const fresh = freshMail();
  const other = freshMail();
  await suppress(known);
  const list = [known, 'nobody', fresh, fresh.toUpperCase(), '<b>bold</b>'].join('\r\n');
  const preview = await owner.submit(path, path, { list });
  expect(preview.status).toBe(200);
  const shown = preview.html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(shown).toMatch(/New 1 address will be suppressed Already suppressed 1 address; .* Repeated 1 line; /);
  expect(shown).toMatch(/Line 2: nobody Line 5: &lt;b> ?bold/);
  const isListed = async (address: string) => (await owner.get('/suppressions')).html.includes(`Remove ${address}`);
  expect(await isListed(fresh)).toBe(false);
  const checked = /name="checked" value="([^"]+)"/.exec(preview.html)![1]!;
  const changed = await owner.submit(path, path, { list: `${list}\n${other}`, checked });
  expect(changed.html).toContain('Add 2 addresses');
  expect(await isListed(other)).toBe(false);
  const imported = await owner.follow(await owner.submit(path, path, { list, checked }));
  expect(imported.html).toContain('Added 1 address.');
  expect([await isListed(fresh), await isListed(other)]).toEqual([true, false]);
  for (const list of ['', ' \n']) {
    const empty = await owner.submit(path, path, { list });
    expect([empty.status, empty.html]).toEqual([422, expect.stringContaining('Enter an address, or choose a file.')]);
  }
  const none = await owner.submit(path, path, { list: 'foo, bar@' });
  expect([none.status, none.html]).toEqual([422, expect.stringContaining('No email addresses found.')]);
  const viewer = await signIn(passbell, 'viewer');
  expect((await viewer.get(path)).status).toBe(403);
  expect((await viewer.get('/suppressions')).html).not.toContain('Add addresses');
});

it("shows a provider's words as text, and exports no formulas", async () => {
  await suppress(freshMail(), '=HYPERLINK("https://evil.example")<script>alert(1)</script>');
  expect((await owner.get('/suppressions')).html).not.toContain('<script>alert');
  expect((await owner.get('/suppressions/export')).html).toContain(
    `"'=HYPERLINK(""https://evil.example"")<script>alert(1)</script>"`,
  );
});
