/** No text in a field of a form blocks the process or makes a request fail. New forms and fields are found automatically. */
import type { Core } from '../../backend/src/core.js';
import { createPages } from '../../backend/src/dashboard/pages.js';
import { createFirstRun } from '../../backend/src/dashboard/sign-in/first-run.js';
import { signInPages } from '../../backend/src/dashboard/sign-in/sign-in-pages.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createVisitor, signIn, type Visitor } from '../support/dashboard.js';
import { findForms, type FoundForm } from '../support/forms.js';
import { findSlowText } from '../support/long-texts.js';
import { accountOf, addGateway } from '../support/providers.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { createShops } from '../support/shops.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());

/** Room for texts in the body of a form, and in a URL. */
const BODY_BYTES = 65_000;
const URL_BYTES = 12_000;

/** Values of fields that are empty in a new form, so that a parser that needs several fields runs. */
const VALUES: Readonly<Record<string, string>> = {
  name: 'Example',
  recipient: 'ana@example.com',
  to: 'ana@example.com',
  email: 'ana@example.com',
  person: '1',
  url: 'https://shop.example/events',
  events: 'message.failed',
  entry: '203.0.113.7',
  footer: 'Harbor Books',
  logo: 'data:image/png;base64,iVBORw0KGgo',
  country: 'DE',
  list: 'DE 0.0042',
  countryPrice: '0.0042',
  'setting-url': 'https://sms.example/send',
  'setting-headers': 'Accept: text/plain',
  'setting-success': 'status 200-299',
  'setting-errors': 'transient: code = 1',
  'setting-messageIdPath': '/id=(a+)/',
  'setting-reportState': 'state',
  'setting-reportStates': 'sent = 1',
  'setting-reportId': 'id',
  'setting-lookUpUrl': 'https://sms.example/{{ messageId }}',
  'setting-lookUpFound': 'id exists',
  'setting-lookUpId': 'id',
  'setting-templates': 'otp = 1',
  'setting-host': 'smtp.example',
};

/** Forms with text fields that only appear in a state that is not set up here. */
function moreForms(application: string, automation: string): FoundForm[] {
  const email = { subject: '', text: '{{ code }}', 'sample-code': '', 'sample-minutes': '', to: '' };
  const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/account/passkeys': { name: '', challenge: '', credential: '' },
    '/account/switch': { person: '' },
    '/account/two-factor/off': { code: '' },
    '/people/2/role': { role: '' },
    '/channels/countries': { channel: 'SMS', 'country-SMS': '', 'provider-SMS': '' },
    [`${application}/allow-list/allow`]: { entry: '' },
    [`${application}/connect/curl/secret`]: {},
    [`${application}/connect/verify`]: { to: '', code: '', messageId: '', maskId: '', tool: 'curl' },
    [`${application}/templates/otp/email/en/preview`]: email,
    [`${application}/templates/otp/email/en/mail`]: email,
    [`${application}/webhooks/1/resend`]: { attempt: '' },
    [`${automation}/test`]: { phone: '' },
  };
  return Object.entries(forms).map(([path, fields]) => ({ method: 'post', path, fields }));
}
/** Forms that consist of buttons. */
const BUTTONS =
  /\/(end-old|restore|end-sessions|unlock|reset-two-factor|erase|reset|remove|revoke|pause|resume|retry|cancel|dismiss|domains)$/;

// A placeholder: services are not needed to list the pages.
const noServices = new Proxy({}, { get: () => noServices }) as never as Core;
const pages = createPages(noServices);
/** Routes with fewer placeholders come first, as a path can match several. */
const paths = pages.map(({ path }) => path).sort((a, b) => a.split(':').length - b.split(':').length);
const patterns = paths.map((path) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)] as const);
/** Returns the route of a path. Each type of provider has its own form. */
const routeOf = (path: string): string =>
  path.startsWith('/channels/add/') ? path : (patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? path);

const invitation = async () => ({ accountId: await accountOf(passbell), role: 'viewer' }) as const;

/** Creates an object of each kind, so that the pages show their forms. */
async function createObjects(application: string) {
  const { maskId, code } = await passbell.send(freshMail());
  await passbell.post('/auth/verifyotp', { maskId, otp: code });
  await passbell.core.people.service.invite(OPERATOR, { ...(await invitation()), email: freshMail() });
  await passbell.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['message.failed'] });
  await addGateway(passbell, 'Local gateway', { url: 'http://127.0.0.1:1' }, { channel: 'WHATSAPP' });
  const shops = createShops(passbell, owner);
  const shopify = await shops.connect(passbell.keys, 'shopify');
  const shop = await shops.connect(passbell.keys, 'woocommerce');
  const automation = await shops.automate(shop, 'created');
  await owner.submit('/suppressions/import', '/suppressions/import', { list: freshMail() });
  const tested = await owner.submit(`${application}/connect`, `${application}/connect/test`, { to: freshMail() });
  const start = ['/home', '/account/two-factor', shopify.path, automation, tested.location.replace('/dashboard', '')];
  return { start, automation };
}

/** Returns the form as a body with room for a long text in one field. */
function bodyWith(fields: Readonly<Record<string, string>>, name: string, text: string): string {
  const entries = Object.entries(fields).map(([key, value]) => [key, value || (VALUES[key] ?? '')] as const);
  const others = entries.filter(([key]) => key !== name).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return [...others, `${name}=${text.replace(/[^a(, ]/g, encodeURIComponent).replaceAll(' ', '+')}`].join('&');
}

/** Each request has its own connection: the server may close an idle one while a slow request blocks the process. */
const ONE_REQUEST = { Connection: 'close' };

/** Names of properties of every object. They must not find these properties in a table of choices. */
const PROPERTY_NAMES = ['constructor', '__proto__'];

/** Describes the fields with a text that takes too much time, or makes a request fail. */
async function findFaults(visitor: Visitor, forms: readonly FoundForm[]): Promise<string[]> {
  const token = forms.find(({ fields }) => fields.token)!.fields.token!;
  const headers = { ...ONE_REQUEST, Cookie: visitor.cookies() };
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  async function submit({ method, path }: FoundForm, body: string): Promise<number> {
    const url = `${passbell.url}/dashboard${path}`;
    const reply = await (method === 'post'
      ? fetch(url, { method, body, headers: { ...headers, ...type }, redirect: 'manual' })
      : fetch(`${url}?${body}`, { headers, redirect: 'manual' }));
    await reply.text();
    return reply.status;
  }

  const faults: string[] = [];
  for (const form of forms) {
    const { method, path, fields } = form;
    const names = Object.keys(fields).filter((name) => name !== 'token');
    for (const name of names.length > 0 ? names : ['token']) {
      const all = { ...fields, token };
      for (const text of PROPERTY_NAMES) {
        const status = await submit(form, bodyWith(all, name, text));
        if (status >= 500) faults.push(`${path} ${name}: ${text} is answered with status ${status}`);
      }
      const start = fields[name] || VALUES[name];
      const bytes = method === 'post' ? BODY_BYTES - bodyWith(all, name, '').length : URL_BYTES;
      const send = (text: string) => submit(form, bodyWith(all, name, text));
      faults.push(...(await findSlowText({ name: `${path} ${name}`, start, bytes, send })));
    }
  }
  return faults;
}

it('no field of a form blocks the process or makes a request fail', async () => {
  const application = `/applications/${passbell.keys.appKey}`;
  const { start, automation } = await createObjects(application);
  const forms = [...(await findForms(owner, start, routeOf)), ...moreForms(application, automation)];
  const found = new Set(forms.map(({ path }) => routeOf(path)));
  const missing = pages.filter(({ method, path }) => method === 'post' && !found.has(path) && !BUTTONS.test(path));
  expect(missing.map(({ path }) => path)).toEqual(['/channels/add/:type']);
  expect(await findFaults(owner, forms)).toEqual([]);
  // A form that ended the session would hide the forms after it.
  expect((await owner.get('/home')).status).toBe(200);
});

it('no field of a sign-in form blocks the process or makes a request fail', async () => {
  const visitor = createVisitor(passbell.url);
  const email = freshMail();
  const key = await passbell.core.people.service.invite(OPERATOR, { ...(await invitation()), email });
  await visitor.get(`/start?key=${key}`);
  const welcome = await findForms(visitor, ['/start'], routeOf);
  await visitor.submit('/start', '/start', { email });
  const pages = await findForms(visitor, ['/sign-in/code', '/sign-in'], routeOf);
  const factor: FoundForm = { method: 'post', path: '/sign-in/factor', fields: { code: '' } };
  const passkey: FoundForm = { method: 'post', path: '/sign-in/passkey', fields: { challenge: '', credential: '' } };
  const forms = [...welcome, ...pages, factor, passkey];
  const found = forms.map(({ path }) => path);
  const routes = signInPages(noServices, createFirstRun(passbell.core)).filter(({ method }) => method === 'post');
  // The forms for links consist of a button. That of the first run has fields of other forms.
  expect(routes.map(({ path }) => path).filter((path) => !found.includes(path))).toEqual([
    '/start/first',
    '/weekly-email/stop',
    '/sign-in/link',
  ]);
  expect(await findFaults(visitor, forms)).toEqual([]);
});
