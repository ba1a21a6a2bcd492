/** Email providers in the dashboard: the form, the credentials check, the test email, and the page's words on reports. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { EMAIL_TYPES } from '../../backend/src/providers/email-api/types.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { RESEND_KEY } from '../support/email-examples/resend.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, VERIFIED } from '../support/providers.js';
import { freshMail, startService, type TestService } from '../support/service.js';

/** With http, because the test's browser would not return a secure cookie. */
const CALLBACK_BASE = 'http://otp.example';

let passbell: TestService;
let resend: GatewayServer;
let owner: Visitor;
beforeAll(async () => {
  resend = await startGatewayServer();
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'force' });
  owner = await signIn(passbell, 'owner', { email: freshMail() });
});
afterAll(async () => {
  await passbell.stop();
  await resend.close();
});

const API_KEY = 're_s3cret-of-resend';
const pageText = async (path: string): Promise<string> =>
  (await owner.get(path)).html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

it('all email providers can be set up', async () => {
  const { html } = await owner.get('/channels/add');
  for (const { name, title } of EMAIL_TYPES) {
    expect(html).toContain(`/channels/add/${name}"`);
    expect(await pageText(`/channels/add/${name}`)).toContain(title);
  }
});

it('finds provider types by name, channel and country', async () => {
  const found = async (text: string) =>
    [...(await owner.get(`/channels/add?text=${encodeURIComponent(text)}`)).html.matchAll(/Set up ([^"]+)"/g)].map(
      ([, title]) => title,
    );
  const { html: all } = await owner.get('/channels/add');
  expect(all).toContain('placeholder="Name, channel or country"');
  expect(all).toContain('For your first provider');
  expect(all).not.toContain('You need');
  const names = [...all.matchAll(/Set up ([^"]+)"/g)].map(([, name]) => name!);
  const firstSms = names.slice(0, names.indexOf('Vonage') + 1);
  expect(firstSms).toEqual([...firstSms].sort((a, b) => a.localeCompare(b, 'en')));
  expect(await found('amazon')).toEqual(['Amazon SES']);
  expect(await found('sweden')).toEqual(expect.arrayContaining(['Twilio', 'Vonage']));
  expect(await found('voice')).toEqual(['Twilio']);
  expect(await found('swedish')).toEqual(['46elks', 'Sinch']);
  expect(await found('email no delivery reports')).toEqual(['Mail server (SMTP)']);
  expect(await found('TWILIO voice')).toEqual(['Twilio']);
  expect((await owner.get('/channels/add?text=nothing')).html).toContain('No provider was found.');
});

it('a provider is live after its credentials were checked, and shows where to enter the address for reports', async () => {
  const calls: string[] = [];
  resend.respondWith(({ path }) => {
    calls.push(path);
    return { status: 200, body: path === '/domains' ? { object: 'list', data: [] } : { id: 'email-1' } };
  });
  const { location } = await owner.submit('/channels/add/resend', '/channels/add/resend', {
    name: 'Resend',
    'secret-apiKey': API_KEY,
    'secret-signingKey': `whsec_${RESEND_KEY}`,
    'setting-apiUrl': resend.url,
    'setting-from': 'Harbor Books <codes@shop.example>',
  });
  const path = location.replace('/dashboard', '');
  const { html } = await owner.get(path);
  expect(html).toContain(`${CALLBACK_BASE}/callbacks/provider/${path.split('/').at(-1)}?key=`);
  expect(html).toContain('In Resend, open Webhooks, add this address');
  for (const secret of [API_KEY, RESEND_KEY]) expect(html).not.toContain(secret);
  expect(await pageText(path)).toContain('Live');
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshMail() });
  expect(calls.at(-1)).toBe('/emails');
});

it('marks the provider types of which there are providers already', async () => {
  const smtp = async () => /Set up Mail server \(SMTP\)".*?<\/li>/.exec((await owner.get('/channels/add')).html)![0];
  expect(await smtp()).not.toContain('badge');
  const account = await accountOf(passbell);
  for (const [name, badge] of [
    ['Mail', 'Added'],
    ['Second', '2 added'],
  ] as const) {
    const request = { type: 'smtp', name, settings: { host: '127.0.0.1', from: 'codes@shop.example' } };
    await passbell.core.providers.service.add(OPERATOR, account, request, VERIFIED);
    expect(await smtp()).toContain(`<span class="badge good">${badge}</span>`);
  }
});

it('the page of a mail server says that it cannot report bounces', async () => {
  const request = { type: 'smtp', name: 'Post', settings: { host: '127.0.0.1', from: 'codes@shop.example' } };
  const { id } = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  expect(await pageText(`/channels/providers/${id}`)).toContain(
    'A mail server cannot report deliveries, bounces or spam complaints.',
  );
});
