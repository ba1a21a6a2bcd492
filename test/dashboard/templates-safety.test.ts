/** The template pages: access rights, and the escaping of hostile texts and values. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let base: string;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
  base = `/applications/${passbell.keys.appKey}/templates`;
});
afterAll(() => passbell.stop());

const SMS_PATH = '/order_shipped/sms/en';
const EMAIL_PATH = '/order_shipped/email/en';
const POST_PATHS = ['', '/reset', '/test', '/preview', '/mail'];
const list = async () => {
  const application = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  return passbell.core.templates.service.list(application);
};
const formToken = async (visitor: Visitor, path = '/applications'): Promise<string> => {
  const { html } = await visitor.get(path);
  return hiddenFields(html, '/dashboard/sign-out').token!;
};

it('does not let a viewer change anything, and shows no controls to a viewer', async () => {
  const viewer = await signIn(passbell, 'viewer');
  const { status, html } = await viewer.get(`${base}${SMS_PATH}`);
  expect(status).toBe(200);
  expect(html).not.toMatch(/Save custom text|Restore the|Send a test/);
  const fields = { token: await formToken(viewer), ...hiddenFields(html, `/dashboard${base}${SMS_PATH}`) };
  const to = freshPhone();
  for (const action of ['', '/reset', '/test'])
    expect((await viewer.post(`${base}${SMS_PATH}${action}`, { ...fields, text: 'Mine', to })).status).toBe(403);
  // A preview changes nothing.
  expect((await viewer.post(`${base}${SMS_PATH}/preview`, { ...fields, text: 'Mine' })).html).toContain('Mine');
  expect(await list()).toEqual([]);
  expect(await passbell.inbox(to)).toEqual([]);
});

it("hides another account's application, even at guessed URLs", async () => {
  const outsider = await signIn(passbell, 'owner', { account: 'other@example.com' });
  const token = await formToken(outsider);
  const message = await passbell.send(freshPhone());
  const absent = `/applications/pk_${'0'.repeat(32)}/templates`;
  const gets = ['', SMS_PATH, EMAIL_PATH, `${EMAIL_PATH}/mail`, `${SMS_PATH}/test/${message.messageId}`];
  for (const path of gets) {
    const foreign = await outsider.get(`${base}${path}`);
    expect([path, foreign.status]).toEqual([path, 404]);
    expect(foreign.html).toBe((await outsider.get(`${absent}${path}`)).html);
  }
  for (const action of POST_PATHS) {
    const reply = await outsider.post(`${base}${EMAIL_PATH}${action}`, { token, text: 'Mine', subject: 'Mine' });
    expect([action, reply.status]).toEqual([action, 404]);
  }
  expect(await list()).toEqual([]);
});

it("hides another application's message", async () => {
  const { appKey } = await passbell.core.applications.service.create(OPERATOR, {
    name: 'Theirs',
    email: 'other@example.com',
  });
  const outsider = await signIn(passbell, 'owner', { account: 'other@example.com' });
  const { messageId } = await passbell.send(freshPhone());
  const path = `/applications/${appKey}/templates${SMS_PATH}`;
  expect((await outsider.get(`${path}/test/${messageId}`)).status).toBe(404);
  expect((await outsider.get(`${path}?sent=${messageId}`)).html).not.toContain('The message is in the dev inbox.');
  expect((await owner.get(`${base}${SMS_PATH}/test/${messageId}`)).status).toBe(303);
});

it('rejects a form without its token', async () => {
  for (const action of POST_PATHS)
    expect((await owner.post(`${base}${SMS_PATH}${action}`, { text: 'Mine', to: freshPhone() })).status).toBe(403);
  expect(await list()).toEqual([]);
});

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'</textarea></iframe>`;

it('escapes hostile texts and values on every channel and in the list', async () => {
  for (const channel of ['sms', 'whatsapp', 'voice', 'email']) {
    const path = `${base}/order_shipped/${channel}/en`;
    const fields = {
      ...hiddenFields((await owner.get(path)).html, `/dashboard${path}`),
      subject: HOSTILE,
      text: `${HOSTILE} {{ orderId }}`,
      'sample-orderId': HOSTILE,
    };
    expect((await owner.post(path, fields)).status).toBe(303);
    const pages = [
      await owner.get(path),
      await owner.get(base),
      await owner.post(`${path}/preview`, fields),
      await owner.post(`${path}/preview`, fields, { 'HX-Request': 'true', 'HX-Target': 'preview' }),
    ];
    for (const { html } of pages) {
      expect(html).not.toMatch(/<script>alert|<img src=x/);
      expect(html).toContain('&lt;script>alert(1)'.slice(0, 10));
    }
  }
});

it('sandboxes an email preview: no scripts, no forms, no external resources, no foreign frames', async () => {
  const { html: page } = await owner.get(`${base}${EMAIL_PATH}`);
  const hidden = hiddenFields(page, `/dashboard${base}${EMAIL_PATH}`);
  const frames = [
    await owner.get(`${base}${EMAIL_PATH}/mail`),
    await owner.post(`${base}${EMAIL_PATH}/mail`, { ...hidden, subject: 'x', text: HOSTILE }),
    await owner.post(`${base}${EMAIL_PATH}/mail`, { ...hidden, subject: 'x', text: '{{ nope' }),
  ];
  for (const { status, headers, html } of frames) {
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script|<img|<form|onerror=alert\(1\)>"/);
    const policy = headers.get('Content-Security-Policy')!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'self'", "form-action 'none'", 'sandbox']),
    );
    expect(policy.join()).not.toContain('script-src');
    expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
  expect(page).toMatch(/<iframe[^>]* sandbox[ >]/);
});

it('never renders an invalid link as a button', async () => {
  const hidden = hiddenFields((await owner.get(`${base}${EMAIL_PATH}`)).html, `/dashboard${base}${EMAIL_PATH}`);
  const fields = { ...hidden, subject: 'x', text: 'Track: {{ trackingLink }} {{ orderId }}', 'sample-orderId': '1' };
  const link = 'javascript:alert(1)';
  const { html } = await owner.post(`${base}${EMAIL_PATH}/mail`, { ...fields, 'sample-trackingLink': link });
  expect(html).not.toContain('javascript:');
});

it('shows an email in the selected color scheme, regardless of its text', async () => {
  const hidden = hiddenFields((await owner.get(`${base}${EMAIL_PATH}`)).html, `/dashboard${base}${EMAIL_PATH}`);
  const asked = '@media (prefers-color-scheme: dark) {';
  const mail = async (scheme: string) => {
    const fields = { ...hidden, subject: asked, text: 'x {{ orderId }}', 'sample-orderId': '1', scheme };
    return (await owner.post(`${base}${EMAIL_PATH}/mail`, fields)).html;
  };
  expect(await mail('auto')).toContain(`${asked}\n`);
  expect(await mail('dark')).toContain('@media all {\n');
  expect(await mail('light')).toContain('@media not all {\n');
  for (const scheme of ['dark', 'light']) expect(await mail(scheme)).toContain(`<title>${asked}</title>`);
});
