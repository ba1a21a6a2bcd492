/** “Sender domains” on the channels page and on Home, with a local DNS server. */
import { generateKeyPairSync } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { startDnsServer, type DnsServer, type Zone } from '../support/dns-server.js';
import { accountOf, VERIFIED } from '../support/providers.js';
import { freshMail, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
const DKIM = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
/** Too long for one string of a TXT record, and with the other records for one UDP packet. */
const LONG_DKIM = [DKIM.slice(0, 255), DKIM.slice(255, 510), DKIM.slice(510)];

const TRUSTED: Zone = {
  'shop.com MX': ['10 mx.shop.com'],
  'shop.com TXT': ['v=spf1 include:mailgun.org ~all', 'site-verification=1'],
  'mailgun.org TXT': ['v=spf1 ip4:69.72.32.0/20 ~all'],
  'pdk1._domainkey.shop.com TXT': [LONG_DKIM, 'x'.repeat(255), 'y'.repeat(255), 'z'.repeat(255)],
  '_dmarc.shop.com TXT': ['v=DMARC1; p=reject'],
};

let dns: DnsServer;
let passbell: TestService;
let owner: Visitor;
beforeEach(async () => {
  dns = await startDnsServer();
  passbell = await startService({ DNS_SERVERS: dns.address });
  owner = await signIn(passbell, 'owner');
  await addMailgun();
});
afterEach(async () => {
  await passbell.stop();
  await dns.close();
});

async function addMailgun(account?: string): Promise<void> {
  const settings = { domain: 'shop.com', apiKey: 'key-s3cret', from: 'Shop <codes@shop.com>' };
  const request = { type: 'mailgun', name: 'Mailgun', settings };
  await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell, account), request, VERIFIED);
}

async function textOf(path: string): Promise<string> {
  const { html } = await owner.get(path);
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

const afterCheck = () =>
  until('the end of the check', async () => {
    const text = await textOf('/channels');
    return /Checked (?:just now|\d+ minutes? ago)/.test(text) && !text.includes('is running') ? text : undefined;
  });

it('a page never waits for DNS: the first visit shows that nothing was checked yet', async () => {
  dns.respondWith({ behavior: 'silent' });
  expect(await textOf('/home')).not.toContain('Emails from');
  expect(await textOf('/channels')).toContain('Not checked yet. A check is running');
  await until('a question', async () => dns.questions.length > 0);
  expect(await textOf('/channels')).toContain('Not checked yet. A check is running');
});

it('an owner sees what is wrong, and pastes the records', async () => {
  dns.respondWith({ zone: { 'shop.com MX': ['10 mx.shop.com'] } });
  const text = await afterCheck();
  expect(text).toContain('Problem SPF shop.com has no SPF record');
  expect(text).toContain('or ask whoever manages the DNS of shop.com to do it');
  expect(text).toContain('OK MX shop.com can receive replies');
  const { html } = await owner.get('/channels');
  for (const value of ['v=spf1 include:mailgun.org ~all', 'v=DMARC1; p=none', '_dmarc.shop.com'])
    expect(html).toContain(`data-copy="${value}"`);
  const home = await textOf('/home');
  expect(home).toContain('Emails may be rejected: shop.com');
  expect(home).toContain('DNS records are missing or wrong: SPF, DKIM, DMARC.');
  expect((await owner.get('/home')).html).toContain('href="/dashboard/channels#sender-domains"');

  dns.respondWith({ zone: TRUSTED });
  passbell.clock.advance(MINUTE);
  expect(await textOf('/channels')).toContain('Checked 1 minute ago');
  const { location } = await owner.submit('/channels', '/channels/domains');
  expect(location).toBe('/dashboard/channels#sender-domains');
  await until('the new results', async () => (await afterCheck()).includes('pdk1._domainkey.shop.com has a DKIM key'));
  expect(await textOf('/channels')).not.toContain('Problem');
  expect(await textOf('/home')).not.toContain('Emails from');
});

it('a failure of DNS is not a missing record', async () => {
  dns.respondWith({ behavior: 'broken' });
  const text = await afterCheck();
  expect(text).toContain('The DNS lookup of shop.com failed');
  expect(text).not.toContain('Problem');
  expect(await textOf('/home')).not.toContain('Emails from');
});

it('hostile and oversized replies are harmless', async () => {
  const script = '<script>alert(1)</script>';
  const huge = Array.from({ length: 20 }, () => 'v=spf1 '.padEnd(255, 'x'));
  dns.respondWith({
    zone: {
      'shop.com MX': Array.from({ length: 100 }, (_entry, n) => `10 mx${n}.shop.com`),
      'shop.com TXT': [`v=spf1 x:${script}\u001b[2J ~all`],
      '_dmarc.shop.com TXT': huge,
      'pdk1._domainkey.shop.com TXT': [huge],
    },
  });
  const text = await afterCheck();
  const { html } = await owner.get('/channels');
  expect(html).not.toContain(script);
  expect(html).toContain('&lt;script');
  expect(html).not.toContain('\u001b');
  expect(text).toContain('Problem DKIM');
});

it('two accounts with the same domain share one check', async () => {
  const email = freshMail();
  const accountId = await accountOf(passbell, email);
  await passbell.core.providers.service.allow(OPERATOR, accountId, true);
  await addMailgun(email);
  const { senderDomains } = passbell.core;
  const listed = () => senderDomains.list(OPERATOR, accountId);
  await senderDomains.list(OPERATOR, await accountOf(passbell));
  await until('the results', async () => (await listed())[0]!.checkedAt !== undefined);
  expect(dns.questions.filter((question) => question === 'shop.com MX')).toHaveLength(1);
});

it('a colleague who may only read sees the results, without the settings of the provider', async () => {
  const reader = await signIn(passbell, 'viewer');
  await afterCheck();
  expect((await reader.get('/channels')).html).toContain('shop.com has no SPF record');
});

it('an account without own providers cannot start a check', async () => {
  const other = await signIn(passbell, 'owner', { account: freshMail() });
  const token = { token: 'x' };
  expect((await other.post('/channels/domains', token)).status).not.toBe(303);
  expect(dns.questions).toEqual([]);
});
