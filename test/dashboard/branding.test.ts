/** The account's name and branding: the page, emails, the widget's design, and the public logo. */
import { crc32, deflateSync } from 'node:zlib';
import { designOf } from '../../backend/src/modules/applications/application.js';
import { enrollUser } from '../support/authenticator.js';
import { hiddenFields, signIn, type Fields, type Visitor } from '../support/dashboard.js';
import { freshMail, startService, type InboxMessage, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(async () => void (owner = await signIn(passbell)));

const PATH = '/account-settings';
const save = (fields: Fields) =>
  'name' in fields
    ? owner.submit(PATH, PATH, { timeZone: 'UTC', ...fields })
    : owner.submit(PATH, `${PATH}/branding`, { accentColor: '', footer: '', ...fields });

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Creates a gray PNG with a text chunk. */
function png(width = 8, height = 4): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const texts = chunk('tEXt', Buffer.from('Comment\0taken at home'));
  return Buffer.concat([signature, chunk('IHDR', header), texts, chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

const dataUrl = (data: Buffer) => `data:image/png;base64,${data.toString('base64')}`;
const upload = (logo: string) => owner.submit(PATH, `${PATH}/logo`, { logo });

/** Sends an order message, and returns the email. */
async function orderEmail(): Promise<InboxMessage> {
  const to = freshMail();
  // Running processes cache the branding.
  passbell.clock.advance(2000);
  const variables = { orderId: '1', trackingLink: 'https://shop.example/t' };
  await passbell.post('/notifications/order', { to, templateType: 'order_shipped', variables });
  return until('the email', async () => (await passbell.inbox(to))[0]);
}

it('shows the name of the account in the dashboard, and records the change', async () => {
  expect((await owner.get(PATH)).html).toMatch(/placeholder="[^"]+" maxlength="100"[^>]* name="name"/);
  await save({ name: 'Harbor Books' });
  expect((await owner.get('/account')).html).toContain('Harbor Books');
  const audit = (await owner.get('/audit')).html;
  expect(audit).toContain('changed the settings of the account');
  expect((await owner.get(PATH)).html).toMatch(/class="brand-email"><p[^>]*>Test Shop</);
  const emptied = await save({ name: ' ' });
  expect([emptied.status, emptied.html]).toEqual([422, expect.stringContaining('Account name: Enter a name.')]);
  expect((await owner.get('/account')).html).toContain('Harbor Books');
});

it('detects that someone else has changed the branding in the meantime', async () => {
  const at = `${PATH}/branding`;
  const opened = hiddenFields((await owner.get(PATH)).html, `/dashboard${at}`);
  await save({ footer: 'Theirs' });
  const conflict = await owner.post(at, { ...opened, accentColor: '', footer: 'Mine' });
  expect(conflict).toMatchObject({ status: 409, html: expect.stringMatching(/Email footer[\s\S]*Theirs[\s\S]*Mine/) });
  await owner.post(at, hiddenFields(conflict.html, `/dashboard${at}`));
  expect((await owner.get(PATH)).html).toContain('Mine');
});

it('adds the accent color, the footer and the logo to emails', async () => {
  expect((await orderEmail()).html).toContain('background:#1a56db');
  await save({ accentColor: '#7A1F5C', footer: 'Harbor Books <Ltd>\n1 Quay, Bristol' });
  await upload(dataUrl(png()));
  const { html, text } = await orderEmail();
  expect(html).toContain('background:#7a1f5c');
  expect(html).not.toContain('#1a56db');
  expect(html).toContain('Harbor Books &lt;Ltd&gt;<br>1 Quay, Bristol');
  expect(text).toContain('\nHarbor Books <Ltd>\n1 Quay, Bristol\n');
  const [, logoUrl] = /<img src="([^"]+)" alt=""/.exec(html)!;
  expect(logoUrl).toMatch(/\/branding\/\d+-[0-9a-f]{32}\.png$/);
  expect(logoUrl).toContain(passbell.core.url);
});

it('serves the logo without its metadata, until it is replaced', async () => {
  await upload(dataUrl(png()));
  const path = /src="(\/branding\/[^"]+)"/.exec((await owner.get(PATH)).html)![1]!;
  const response = await fetch(`${passbell.url}${path}`);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const image = Buffer.from(await response.arrayBuffer());
  expect(image.toString('latin1')).not.toContain('taken at home');
  expect(image.length).toBe(png().length - chunk('tEXt', Buffer.from('Comment\0taken at home')).length);
  await owner.submit(PATH, `${PATH}/logo/remove`);
  expect((await fetch(`${passbell.url}${path}`)).status).toBe(404);
  expect((await fetch(`${passbell.url}/branding/1-${'0'.repeat(32)}.png`)).status).toBe(404);
});

it.each([
  ['an SVG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'This is not a PNG image.'],
  ['a truncated PNG', dataUrl(png().subarray(0, 60)), 'This is not a PNG image.'],
  ['no image', '', 'Choose a PNG file first.'],
  ['a file of 200 kB', dataUrl(Buffer.alloc(200_000)), 'This is not a PNG image.'],
  ['a huge image', dataUrl(png(5000, 10)), 'This image is 5000 × 10 pixels'],
])('rejects %s as a logo', async (_what, logo, problem) => {
  const { status, html } = await upload(logo);
  expect([status, html]).toEqual([422, expect.stringContaining(problem)]);
});

it('shows an error in the summary below the title, and at its field', async () => {
  const { html } = await save({ accentColor: 'red' });
  const inOrder = [/<\/h1>/, /There is a problem/, /id="branding"/, /id="field-accentColor-error"/];
  const places = inOrder.map((text) => html.search(text));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
});

it.each([
  [{ accentColor: '#ffee00' }, 'The contrast of #ffee00 with white is 1.2:1.'],
  [{ accentColor: 'red' }, 'Enter a color as # and six hexadecimal digits'],
  [{ footer: 'x'.repeat(301) }, 'Enter at most 300 characters.'],
  [{ footer: 'a\u202eb' }, 'Remove control characters'],
  [{ name: 'two\nlines' }, 'Enter one line'],
])('rejects %j', async (fields: Fields, problem) => {
  const { status, html } = await save(fields);
  expect([status, html]).toEqual([422, expect.stringContaining(problem)]);
});

it("gives the widget the account's color and logo, unless the application has its own", async () => {
  await save({ accentColor: '#7a1f5c' });
  await upload(dataUrl(png()));
  const plain = await passbell.application();
  const own = await passbell.application({ design: { accentColor: '#0a7cff' } });
  // The preview and the color picker of the dashboard start with the account's color.
  const { html } = await owner.get(`/applications/${plain.appKey}/widget`);
  expect(html).toContain('data-accent="#7a1f5c"');
  expect(html).toMatch(/data-color="field-accentColor" data-own="#7a1f5c"/);
  const replyOf = async (keys: typeof plain) => {
    passbell.clock.advance(2000);
    const { data } = await passbell.get('/application', {}, { keys });
    const user = await enrollUser(passbell, freshMail(), { keys });
    expect((await user.page.call('authstate')).design).toEqual(data.design);
    return data.design;
  };
  expect(await replyOf(plain)).toMatchObject({ accentColor: '#7a1f5c', logoUrl: '' });
  expect(await replyOf(own)).toMatchObject({ accentColor: '#0a7cff' });
  // A page with HTTPS cannot show the logo of a server without it.
  const application = await passbell.core.applications.service.load(plain.appKey);
  const logoUrl = 'https://codes.example/branding/1.png';
  expect(designOf({ ...application, branding: { ...application.branding, logoUrl } })).toMatchObject({ logoUrl });
});

it.each(['member', 'viewer'] as const)('does not let a %s change the branding', async (role) => {
  const visitor = await signIn(passbell, role);
  expect((await visitor.get(PATH)).status).toBe(403);
  const actor = { name: visitor.person!.email, may: () => false };
  await expect(passbell.core.applications.profiles.update(actor, 1, { name: 'x' })).rejects.toThrow(
    'does not have the right',
  );
});
