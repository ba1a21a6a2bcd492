/** The widget page: its form, which follows the contract, and the sandboxed preview. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { contract } from '../../backend/src/platform/contract/contract.js';
import { GROUPED_TEXTS } from '../../backend/src/dashboard/widget/design-fields.js';
import { readDesign, designFields, TEXT_NAMES, textField } from '../../backend/src/dashboard/widget/design-form.js';
import { previewSamples } from '../../backend/src/dashboard/widget/preview-samples.js';
import { DEFAULT_DESIGN, type WidgetDesign, type KeyPair } from '../../backend/src/modules/applications/application.js';
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(contract as object, 'contract');
const schemaErrors = (schema: string, value: unknown): string =>
  ajv.validate(`contract#/components/schemas/${schema}`, value) ? '' : ajv.errorsText();

const pathOf = ({ appKey }: KeyPair) => `/applications/${appKey}/widget`;
const designOf = async ({ appKey }: KeyPair) =>
  (await passbell.core.applications.service.find(appKey))!.settings.design;
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

const DESIGN: WidgetDesign = {
  title: 'Café Órgano',
  logoUrl: 'https://shop.example/logo.svg',
  theme: 'dark',
  accentColor: '#ffcc00',
  backgroundColor: '#20124d',
  textColor: '#ffffff',
  radius: 24,
  language: 'fr',
  texts: { enrolTitle: 'Protégez votre compte <b>' },
};

it('says that sites with HTTPS cannot load the widget from an address without it', async () => {
  const codeAt = async (service: TestService, visitor: Visitor) => {
    const keys = await service.application();
    return textOf((await visitor.get(`${pathOf(keys)}/code`)).html);
  };
  const warning = 'The widget does not work on sites with https://';
  expect(await codeAt(passbell, owner)).not.toContain(warning);
  const other = await startService({ BASE_URL: 'http://codes.shop.example' });
  expect(await codeAt(other, await signIn(other))).toContain(warning);
  await other.stop();
});

it('saves the design, which sites receive with the next authstate reply', async () => {
  const keys = await passbell.application();
  const saved = await owner.submit(pathOf(keys), pathOf(keys), designFields(DESIGN));
  expect(saved.status).toBe(303);
  passbell.clock.advance(2000);
  const domainUrl = 'https://shop.example';
  const state = await passbell.post('/authserviceclient/authstate', {
    ...keys,
    domainUrl,
    identity: 'ana@example.com',
  });
  expect(state.design).toEqual(DESIGN);
  const { html } = await owner.get(pathOf(keys));
  expect(html).toMatch(/<textarea[^>]*>Protégez votre compte &lt;b>/);
  expect(textOf(html)).toContain('Setup: QR code 1 changed');
});

it('explains what anyone with the App Key can do, and shows the server code for strict mode', async () => {
  const keys = await passbell.application();
  // Spans highlight the code.
  const pages = [
    pathOf(keys),
    ...['', '?language=PHP', '?language=Python'].map((query) => `${pathOf(keys)}/code${query}`),
  ];
  const read = async (path: string) => textOf((await owner.get(path)).html.replace(/<\/?span[^>]*>/g, ''));
  const open = (await Promise.all(pages.map(read))).join(' ');
  expect(open).toContain(
    'anyone with the App Key can find out whether the user of an email address has a second factor',
  );
  expect(open).toContain('Without strict mode, anyone who knows the email address');
  expect(open).toContain('They cannot see, replace or turn off an existing second factor');
  for (const code of ["createHmac('sha256', key)", 'hash_hmac(', 'import hashlib, hmac, os, time'])
    expect(open.replaceAll('&quot;', '"')).toContain(code);
  const settings = `/applications/${keys.appKey}/settings/two-factor`;
  await owner.submit(settings, settings, { widget: 'strict' });
  const strict = (await Promise.all(pages.map(read))).join(' ');
  expect(strict).toContain('Strict mode is on');
  expect(strict).not.toContain('Without strict mode');
  expect(strict).not.toContain('Turn on strict mode');
  await owner.submit(settings, settings, { widget: 'off', confirmed: 'yes' });
  for (const path of pages) expect(await read(path)).toContain('The widget is off for this application.');
  expect((await passbell.core.applications.service.find(keys.appKey))!.settings).toMatchObject({
    twoFactorWidget: false,
  });
});

it('preserves invalid input and explains the error in each field', async () => {
  const keys = await passbell.application();
  const typed = {
    ...designFields(DESIGN),
    accentColor: 'yellow',
    radius: '99',
    logoUrl: 'http://shop.example/logo.svg',
  };
  const { status, html } = await owner.submit(pathOf(keys), pathOf(keys), typed);
  expect(status).toBe(422);
  expect(textOf(html)).toContain('Check 3 fields.');
  expect(textOf(html)).toContain('Accent color: Enter a color as # and six hexadecimal digits, such as #0a7cff');
  expect(textOf(html)).toContain('Enter a whole number of pixels from 0 to 32.');
  expect(textOf(html)).toContain('Enter the URL of an image, starting with https://');
  for (const value of ['yellow', '99', 'http://shop.example/logo.svg', 'Café Órgano'])
    expect(html).toContain(`value="${value}"`);
  expect(await designOf(keys)).toEqual(DEFAULT_DESIGN);
});

it('reports a conflict when two tabs save different designs', async () => {
  const keys = await passbell.application();
  const action = `/dashboard${pathOf(keys)}`;
  const second = hiddenFields((await owner.get(pathOf(keys))).html, action);
  await owner.submit(pathOf(keys), pathOf(keys), { ...designFields(DEFAULT_DESIGN), title: 'First' });
  const mine = { ...designFields(DEFAULT_DESIGN), title: 'Second' };
  const late = await owner.post(pathOf(keys), { ...second, ...mine });
  expect(late.status).toBe(409);
  expect(textOf(late.html)).toContain('Title First Second');
  expect((await designOf(keys)).title).toBe('First');
  expect((await owner.post(pathOf(keys), hiddenFields(late.html, action))).status).toBe(303);
  expect((await designOf(keys)).title).toBe('Second');
});

it('reports no conflict when the same design is saved twice', async () => {
  const keys = await passbell.application();
  const fields = hiddenFields((await owner.get(pathOf(keys))).html, `/dashboard${pathOf(keys)}`);
  const both = await Promise.all([1, 2].map(() => owner.post(pathOf(keys), { ...fields, ...designFields(DESIGN) })));
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(await designOf(keys)).toEqual(DESIGN);
});

it('checks the colors in the form without storing them', async () => {
  const keys = await passbell.application();
  const { token } = hiddenFields((await owner.get(pathOf(keys))).html, `/dashboard${pathOf(keys)}`) as {
    token: string;
  };
  const typed = { ...designFields(DEFAULT_DESIGN), backgroundColor: '#eeeeee', textColor: '#888' };
  const { status, html } = await owner.post(`${pathOf(keys)}/contrast`, { token, ...typed });
  expect(status).toBe(200);
  expect(html).toMatch(/^<div id="contrast"/);
  expect(textOf(html)).toContain(
    'The text is hard to read on the background in the light theme. Choose a darker text color.',
  );
  expect(await designOf(keys)).toEqual(DEFAULT_DESIGN);
});

it('accepts only designs that are valid according to the contract', () => {
  const typed = fc.record({
    title: fc.string({ maxLength: 110 }),
    logoUrl: fc.oneof(fc.constant(''), fc.webUrl({ validSchemes: ['https', 'http'] }), fc.string()),
    theme: fc.constantFrom('auto', 'light', 'dark', 'none'),
    accentColor: fc.constantFrom('', '#ABC', 'a1b2c3', '#12345', 'red'),
    backgroundColor: fc.constantFrom('', ' #a1b2c3 '),
    textColor: fc.constantFrom('', '#FFFFFF'),
    radius: fc.constantFrom('0', '32', '33', '-1', '1.5', '', ' 8'),
    language: fc.constantFrom('', 'de', 'xx'),
    [textField('enrolTitle')]: fc.string({ maxLength: 310 }),
  });
  let accepted = 0;
  fc.assert(
    fc.property(typed, (fields) => {
      const body = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value!]]));
      const read = readDesign(body, DEFAULT_DESIGN);
      if (!read.ok) return;
      accepted++;
      expect(schemaErrors('WidgetDesign', read.design)).toBe('');
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(3);
});

it('has one field for every widget text', () => {
  expect([...GROUPED_TEXTS].sort()).toEqual([...TEXT_NAMES].sort());
});

it('preserves texts that only the operator command can set', () => {
  const stored = { ...DEFAULT_DESIGN, texts: { someOther: 'kept', retry: 'gone' } };
  const body = Object.fromEntries(Object.entries(designFields(DEFAULT_DESIGN)).map(([name, value]) => [name, [value]]));
  expect(readDesign(body, stored)).toMatchObject({ ok: true, design: { texts: { someOther: 'kept' } } });
});

it('uses sample replies in the preview that are valid according to the contract', async () => {
  const { on, off, enable, verified, enrolled, disabled, wrong, locked, broken } = await previewSamples();
  for (const state of [on, off]) expect(schemaErrors('TwoFactorStateReply', { ...state, design: DESIGN })).toBe('');
  expect(schemaErrors('EnableTwoFactorReply', enable)).toBe('');
  for (const reply of [verified, enrolled]) expect(schemaErrors('VerifyTwoFactorReply', reply)).toBe('');
  expect(schemaErrors('Success', disabled)).toBe('');
  for (const failure of [wrong, locked, broken]) expect(schemaErrors('Failure', failure)).toBe('');
});

it('sandboxes the preview, and allows only the dashboard to embed it', async () => {
  const { headers, html } = await owner.get('/widget-preview');
  const policy = headers.get('Content-Security-Policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('connect-src');
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).not.toContain('allow-same-origin');
  expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
  expect(html).not.toContain(passbell.keys.appKey);
  const page = await owner.get(pathOf(passbell.keys));
  expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('X-Frame-Options')).toBe('DENY');
  expect(page.html).toMatch(/<iframe[^>]* sandbox="allow-scripts"/);
});

it('lets a viewer view but not change the design', async () => {
  const viewer = await signIn(passbell, 'viewer');
  const keys = await passbell.application({ design: { title: 'Theirs' } });
  const { html } = await viewer.get(pathOf(keys));
  expect(html).toContain('value="Theirs"');
  expect(html).not.toContain('Save the look');
  const fields = hiddenFields(html, `/dashboard${pathOf(keys)}`);
  expect((await viewer.post(pathOf(keys), { ...fields, ...designFields(DESIGN) })).status).toBe(403);
  expect((await designOf(keys)).title).toBe('Theirs');
});

it("hides another account's widget, even at guessed URLs", async () => {
  const outsider = await signIn(passbell, 'owner', { account: 'stranger@example.com' });
  const keys = await passbell.application({ design: { title: 'Theirs' } });
  const token = /name="token" value="([^"]*)"/.exec((await outsider.get('/applications')).html)![1]!;
  const absent = await outsider.get(`/applications/pk_${'0'.repeat(32)}/widget`);
  expect(await outsider.get(pathOf(keys))).toMatchObject({ status: 404, html: absent.html });
  for (const below of ['', '/contrast'])
    expect((await outsider.post(`${pathOf(keys)}${below}`, { token, ...designFields(DESIGN) })).status).toBe(404);
  expect((await designOf(keys)).title).toBe('Theirs');
});
