/** The checks of a sender domain's DNS records, with answers from a table. */
import { generateKeyPairSync } from 'node:crypto';
import { createDns, type Answer, type Dns } from '../../backend/src/platform/dns.js';
import { checkDomain, reverseName } from '../../backend/src/modules/sender-domains/check-domain.js';
import {
  isPublicDomain,
  senderDomainsOf,
  type Finding,
} from '../../backend/src/modules/sender-domains/sender-domain.js';
import type { ProviderView } from '../../backend/src/modules/providers/provider-view.js';
import type { ProviderSettings } from '../../backend/src/providers/provider-type.js';

type Table = Readonly<Record<string, Answer<string>>>;

/** Answers from a table of names with types, such as `shop.com TXT`. */
function dnsOf(table: Table): Dns {
  const asked = new Set<string>();
  const answer = (name: string, type: string) => {
    asked.add(`${name} ${type}`);
    return Promise.resolve(table[`${name} ${type}`] ?? []);
  };
  return {
    texts: (name) => answer(name, 'TXT'),
    addresses: (name) => answer(name, 'A'),
    mailServers: (name) => answer(name, 'MX'),
    hostNames: (address) => answer(address, 'PTR'),
    cancel() {},
  };
}

const provider = (type: string, settings: ProviderSettings): ProviderView =>
  ({ type, settings: { from: 'Shop <codes@shop.com>', ...settings }, enabled: true, channels: ['EMAIL'] }) as never;

const KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
} as never);
const DKIM = `v=DKIM1; k=rsa; p=${(KEY.publicKey as never as Buffer).toString('base64')}`;

async function check(table: Table, ...providers: readonly ProviderView[]): Promise<readonly Finding[]> {
  const [found] = senderDomainsOf(providers);
  return checkDomain(found!, dnsOf(table));
}

/** Returns the findings of one check as `state: text`. */
async function textsOf(kind: Finding['check'], table: Table, ...providers: readonly ProviderView[]) {
  const found = (await check(table, ...providers)).filter((finding) => finding.check === kind);
  return found.map(({ state, text }) => `${state}: ${text}`);
}

async function fixesOf(kind: Finding['check'], table: Table, ...providers: readonly ProviderView[]) {
  const found = (await check(table, ...providers)).filter((finding) => finding.check === kind);
  return found.map(({ fix }) => (fix ? [fix.action, fix.record.name, fix.record.type, fix.record.value] : undefined));
}

const MAILGUN = provider('mailgun', { domain: 'shop.com' });
const SENDGRID = provider('sendgrid', {});
const RESEND = provider('resend', {});
const SMTP = provider('smtp', { host: 'mail.shop.com' });
const GOOGLE = provider('smtp', { host: 'smtp.gmail.com' });
const INCLUDED: Table = { 'mailgun.org TXT': ['v=spf1 ip4:69.72.32.0/20 ~all'] };

describe('SPF', () => {
  it.each<[string, Answer<string>, RegExp, string | undefined]>([
    ['missing', [], /^problem: shop\.com has no SPF record/, 'v=spf1 include:mailgun.org ~all'],
    [
      'other texts only',
      ['google-site-verification=1', 'v=spf10 x'],
      /^problem: .* no SPF/,
      'v=spf1 include:mailgun.org ~all',
    ],
    ['correct', ['v=spf1 include:mailgun.org ~all'], /^ok: .*1 of at most 10/, undefined],
    ['upper case', ['V=SPF1 INCLUDE:MAILGUN.ORG -ALL'], /^ok: /, undefined],
    ['DNS failed', 'failed', /^unknown: The DNS lookup of/, undefined],
    [
      'the include is missing',
      ['v=spf1 mx -all'],
      /^problem: .* lacks include:mailgun\.org/,
      'v=spf1 mx include:mailgun.org -all',
    ],
    [
      'two records',
      ['v=spf1 mx -all', 'v=spf1 include:mailgun.org ~all'],
      /^problem: .* 2 SPF records/,
      'v=spf1 mx include:mailgun.org -all',
    ],
    ['open to all', ['v=spf1 include:mailgun.org +all'], /^problem: .*any server/, 'v=spf1 include:mailgun.org ~all'],
    [
      'open to all, without +',
      ['v=spf1 include:mailgun.org all'],
      /^problem: .*any server/,
      'v=spf1 include:mailgun.org ~all',
    ],
    ['unknown term', ['v=spf1 ip:192.0.2.1 ~all'], /^problem: .*“ip:192\.0\.2\.1” is not a valid term/, undefined],
    ['wrong address', ['v=spf1 ip4:192.0.2 ~all'], /^problem: .*“ip4:192\.0\.2” is not a valid term/, undefined],
    ['wrong prefix', ['v=spf1 ip4:192.0.2.0/33 ~all'], /^problem: .*not a valid term/, undefined],
    ['unknown modifier', ['v=spf1 include:mailgun.org future=1 exp=x.shop.com ~all'], /^ok: /, undefined],
    [
      'include of nothing',
      ['v=spf1 include:nowhere.com ~all'],
      /^problem: .*“include:nowhere\.com” .* no SPF/,
      undefined,
    ],
    ['include of itself', ['v=spf1 include:shop.com ~all'], /^problem: .*more than 10 DNS lookups/, undefined],
    ['11 lookups', [`v=spf1 ${'exists:x.shop.com '.repeat(11)}~all`], /^problem: .*more than 10/, undefined],
    ['a macro', ['v=spf1 include:%{d}._spf.host.com ~all'], /^unknown: /, undefined],
    ['redirect', ['v=spf1 redirect=_spf.shop.com'], /^ok: .*2 of at most 10/, undefined],
    [
      'redirect and a missing include',
      ['v=spf1 redirect=b.shop.com'],
      /^problem: .*lacks/,
      'v=spf1 include:mailgun.org redirect=b.shop.com',
    ],
  ])('%s', async (_name, records, expected, value) => {
    const table = {
      ...INCLUDED,
      'MAILGUN.ORG TXT': ['v=spf1 ip4:69.72.32.0/20 ~all'],
      '_spf.shop.com TXT': ['v=spf1 include:mailgun.org ~all'],
      'b.shop.com TXT': ['v=spf1 mx ~all'],
      'shop.com TXT': records,
    };
    const [text] = await textsOf('SPF', table, MAILGUN);
    expect(text).toMatch(expected);
    const [fix] = await fixesOf('SPF', table, MAILGUN);
    expect(fix?.[3]).toBe(value);
  });

  it('is not needed if the return address belongs to the provider', async () => {
    expect(await textsOf('SPF', {}, SENDGRID)).toEqual([expect.stringMatching(/^ok: .*None is needed/)]);
    expect(await textsOf('SPF', { 'shop.com TXT': ['v=spf1 +all'] }, SENDGRID)).toEqual([
      expect.stringMatching(/^problem: /),
    ]);
  });

  it('a missing record with a name that can be another one is no problem, but it is shown', async () => {
    expect(await textsOf('SPF', {}, RESEND)).toEqual([
      expect.any(String),
      expect.stringMatching(/^unknown: send\.shop\.com/),
    ]);
    expect((await fixesOf('SPF', {}, RESEND))[1]).toEqual([
      'Add',
      'send.shop.com',
      'TXT',
      'v=spf1 include:amazonses.com ~all',
    ]);
  });

  it('one record contains what all providers of the domain need', async () => {
    expect(await fixesOf('SPF', {}, MAILGUN, GOOGLE)).toEqual([
      ['Add', 'shop.com', 'TXT', 'v=spf1 include:mailgun.org include:_spf.google.com ~all'],
    ]);
  });

  it.each([
    ['a range', ['v=spf1 ip4:198.51.100.0/24 ~all'], 'problem'],
    ['another range', ['v=spf1 ip4:93.184.0.0/16 ~all'], 'ok'],
    ['its name', ['v=spf1 a:mail.shop.com ~all'], 'ok'],
    ['the mail servers', ['v=spf1 mx ~all'], 'ok'],
    ['an include', ['v=spf1 include:_spf.shop.com ~all'], 'ok'],
    ['only a failing term', ['v=spf1 -ip4:93.184.0.0/16 ~all'], 'problem'],
  ])('an own mail server may be listed by %s', async (_name, records, state) => {
    const table = {
      'shop.com TXT': records,
      'shop.com MX': ['mail.shop.com'],
      'mail.shop.com A': ['93.184.215.14'],
      '_spf.shop.com TXT': ['v=spf1 ip4:93.184.215.14 ~all'],
    };
    expect((await textsOf('SPF', table, SMTP))[0]).toMatch(new RegExp(`^${state}`));
    if (state === 'problem') expect((await fixesOf('SPF', table, SMTP))[0]![3]).toMatch(/ a:mail\.shop\.com ~all$/);
  });
});

describe('DKIM', () => {
  it.each<[string, Table, RegExp]>([
    ['found under the second name', { 's2._domainkey.shop.com TXT': [DKIM] }, /^ok: s2\._domainkey/],
    ['missing', {}, /^problem: shop\.com has no DKIM record/],
    ['revoked', { 's1._domainkey.shop.com TXT': ['v=DKIM1; p='] }, /^problem: .*revoked/],
    ['cut off', { 's1._domainkey.shop.com TXT': [DKIM.slice(0, 255)] }, /^problem: .*pasted completely/],
    ['spaces in the key', { 's1._domainkey.shop.com TXT': [DKIM.replace('p=', 'p= AB').replace(' AB', ' ')] }, /^ok: /],
    ['not answered', { 's1._domainkey.shop.com TXT': 'failed' }, /^unknown: The DNS lookup of/],
  ])('%s', async (_name, table, expected) => {
    expect(await textsOf('DKIM', table, SENDGRID)).toEqual([expect.stringMatching(expected)]);
  });

  it('is looked up under the name that the owner has entered', async () => {
    const ses = provider('amazon-ses', { dkimSelector: 'abc123' });
    expect(await textsOf('DKIM', { 'abc123._domainkey.shop.com TXT': [DKIM] }, ses)).toEqual([
      expect.stringMatching(/^ok: abc123/),
    ]);
    expect(await fixesOf('DKIM', {}, ses)).toEqual([['Add', 'abc123._domainkey.shop.com', 'CNAME', undefined]]);
    expect(await textsOf('DKIM', {}, provider('amazon-ses', {}))).toEqual([
      expect.stringMatching(/^unknown: Amazon SES uses different DKIM record names for each customer/),
    ]);
    expect(await textsOf('DKIM', {}, SMTP)).toEqual([expect.stringMatching(/^unknown: .*DKIM selector/)]);
  });

  it('belongs to the domain that the provider signs for', async () => {
    const table = { 'pdk1._domainkey.mg.shop.com TXT': [DKIM], 'mg.shop.com TXT': ['v=spf1 include:mailgun.org ~all'] };
    const subdomain = provider('mailgun', { domain: 'mg.shop.com' });
    expect(await textsOf('DKIM', table, subdomain)).toEqual([expect.stringMatching(/^ok: pdk1/)]);
    expect((await textsOf('SPF', { ...INCLUDED, ...table }, subdomain))[1]).toMatch(/^ok: .*mg\.shop\.com/);
  });
});

describe('DMARC', () => {
  it.each<[string, Table, RegExp, unknown]>([
    ['missing', {}, /^problem: shop\.com has no DMARC/, ['Add', '_dmarc.shop.com', 'TXT', 'v=DMARC1; p=none']],
    [
      'no enforcement',
      { '_dmarc.shop.com TXT': ['v=DMARC1; p=none; rua=mailto:d@shop.com'] },
      /^ok: .*policy none/,
      undefined,
    ],
    ['enforced', { '_dmarc.shop.com TXT': ['v=DMARC1;p=reject'] }, /^ok: .*reject/, undefined],
    ['two', { '_dmarc.shop.com TXT': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, /^problem: .*2 DMARC/, undefined],
    [
      'wrong policy',
      { '_dmarc.shop.com TXT': ['v=DMARC1; p=nothing'] },
      /^problem: .*no valid policy/,
      ['Replace', '_dmarc.shop.com', 'TXT', 'v=DMARC1; p=none'],
    ],
    ['other version', { '_dmarc.shop.com TXT': ['v=DMARC2; p=none'] }, /^problem: .*no DMARC/, expect.anything()],
    ['failed', { '_dmarc.shop.com TXT': 'failed' }, /^unknown: /, undefined],
  ])('%s', async (_name, table, expected, fix) => {
    expect(await textsOf('DMARC', table, SENDGRID)).toEqual([expect.stringMatching(expected)]);
    expect(await fixesOf('DMARC', table, SENDGRID)).toEqual([fix]);
  });

  it('a domain inherits the policy for subdomains of the domain above it', async () => {
    const news = provider('sendgrid', { from: 'codes@mail.news.shop.com' });
    const table = { '_dmarc.shop.com TXT': ['v=DMARC1; p=reject; sp=quarantine'] };
    expect(await textsOf('DMARC', table, news)).toEqual([expect.stringMatching(/^ok: _dmarc\.shop\.com .*quarantine/)]);
  });
});

describe('MX', () => {
  it.each<[string, Answer<string>, RegExp]>([
    ['a mail server', ['mx.shop.com'], /^ok: /],
    ['none', [], /^problem: .*no MX record/],
    ['a domain that accepts no email', [''], /^problem: .*accepts no email/],
    ['failed', 'failed', /^unknown: /],
  ])('%s', async (_name, answer, expected) => {
    expect(await textsOf('MX', { 'shop.com MX': answer }, SENDGRID)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('PTR', () => {
  const own = { 'mail.shop.com A': ['93.184.215.14'] };
  it.each<[string, Table, ProviderView, RegExp]>([
    ['correct', { ...own, '93.184.215.14 PTR': ['mail.shop.com'] }, SMTP, /^ok: /],
    ['missing', own, SMTP, /^problem: .*has no PTR record/],
    [
      'to another address',
      { ...own, '93.184.215.14 PTR': ['x.host.net'], 'x.host.net A': ['1.1.1.1'] },
      SMTP,
      /^problem: .*x\.host\.net/,
    ],
    ['failed', { ...own, '93.184.215.14 PTR': 'failed' }, SMTP, /^unknown: The DNS lookup of/],
    [
      'of another company',
      { 'smtp.host.net A': ['93.184.215.14'] },
      provider('smtp', { host: 'smtp.host.net' }),
      /^unknown: The company that runs/,
    ],
    ['of a private address', {}, provider('smtp', { host: '127.0.0.1:25' }), /^unknown: .*no public IP address/],
    ['of localhost', {}, provider('smtp', { host: 'localhost' }), /^unknown: .*no public IP address/],
    ['of IPv6', {}, provider('smtp', { host: '[2606:4700::1]' }), /^problem: .*2606:4700::1/],
  ])('%s', async (_name, table, smtp, expected) => {
    expect(await textsOf('PTR', table, smtp)).toEqual([expect.stringMatching(expected)]);
  });

  it('is not checked for email APIs and known companies', async () => {
    expect(await textsOf('PTR', {}, SENDGRID, GOOGLE)).toEqual([]);
  });

  it('names the record that the company with the IP address must add', async () => {
    expect(await fixesOf('PTR', own, SMTP)).toEqual([['Add', '14.215.184.93.in-addr.arpa', 'PTR', 'mail.shop.com.']]);
    expect(reverseName('2001:db8::1')).toBe(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`);
  });

  it('private addresses of a mail server are not shown', async () => {
    const found = await check({ 'mail.shop.com A': ['10.1.2.3'] }, SMTP);
    expect(JSON.stringify(found)).not.toContain('10.1.2.3');
  });
});

it.each([
  ['codes@shop', false],
  ['codes@localhost', false],
  ['codes@[192.0.2.1]', false],
  ['codes@192.0.2.1', false],
  ['codes@shop.example', false],
  ['codes@intranet.local', false],
  [`codes@${'a.'.repeat(130)}com`, false],
  [`codes@${'a'.repeat(64)}.com`, false],
  ['codes@a..com', false],
  ['codes@shop.com', true],
  ['Bücher <codes@Bücher.com>', true],
])('%s can be checked: %s', async (from, isChecked) => {
  const [found] = senderDomainsOf([provider('sendgrid', { from })]);
  expect(isPublicDomain(found!.domain)).toBe(isChecked);
  const findings = await checkDomain(found!, dnsOf({}));
  if (!isChecked) expect(findings).toEqual([expect.objectContaining({ check: 'Domain', state: 'unknown' })]);
});

it('domains are compared in ASCII and lower case, and the same kind of provider is checked once', () => {
  const found = senderDomainsOf([
    provider('sendgrid', { from: 'a@SHOP.com' }),
    provider('sendgrid', { from: 'b@shop.com' }),
    provider('sendgrid', { from: 'c@Bücher.com' }),
    { ...provider('sendgrid', { from: 'd@off.com' }), enabled: false },
  ]);
  expect(found.map(({ domain, senders }) => [domain, senders.length])).toEqual([
    ['shop.com', 1],
    ['xn--bcher-kva.com', 1],
  ]);
});

it('every known company has a correct regular expression for its servers', () => {
  const titles = [
    'email-smtp.eu-west-1.amazonaws.com',
    'smtp-relay.brevo.com',
    'smtp.eu.mailgun.org',
    'smtp.postmarkapp.com',
  ];
  const found = senderDomainsOf(titles.map((host) => provider('smtp', { host })));
  expect(found[0]!.senders.map(({ title }) => title)).toEqual(['Amazon SES', 'Brevo', 'Mailgun', 'Postmark']);
});

it('does not wait for a resolver that was canceled', async () => {
  const dns = createDns(['127.0.0.1:1']);
  const answer = dns.texts('shop.com');
  dns.cancel();
  expect(await answer).toBe('failed');
});
