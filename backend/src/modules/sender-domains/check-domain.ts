/** Checks the DNS records of a sender domain, as the mail servers of recipients do. */
import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Answer, Dns } from '../../platform/dns.js';
import { isPublicAddress, isSameAddress } from '../../platform/http/public-address.js';
import type { DnsRecord, Finding, Fix, Sender, SenderDomain } from './sender-domain.js';
import { isPublicDomain } from './sender-domain.js';
import { allows, allQualifier, MAX_SPF_LOOKUPS, readSpf, spfWith, type Spf } from './spf.js';

/** The number of a mail server's IP addresses that are checked. */
const MAX_ADDRESSES = 4;

type Check = Finding['check'];
const ok = (check: Check, text: string): Finding => ({ check, state: 'ok', text });
const problem = (check: Check, text: string, fix?: Fix): Finding => ({ check, state: 'problem', text, fix });
const unknown = (check: Check, text: string, fix?: Fix): Finding => ({ check, state: 'unknown', text, fix });
const noAnswer = (check: Check, name: string): Finding =>
  unknown(check, `The DNS lookup of ${name} failed, so Passbell does not know whether the record exists.`);

const fixOf = (domain: string, record: DnsRecord, help?: string, action: Fix['action'] = 'Add'): Fix => ({
  action,
  record,
  help,
  by: `whoever manages the DNS of ${domain}`,
});

interface MailServer {
  readonly host: string;
  /** Whether the domain's owner runs it, so that its own IP addresses send the emails. */
  readonly isOwn: boolean;
  readonly addresses: Answer<string>;
}

async function mailServerOf(host: string, domain: string, mx: Answer<string>, dns: Dns): Promise<MailServer> {
  const isAddress = isIP(host) > 0;
  const isNamed = host === domain || host.endsWith(`.${domain}`) || (mx !== 'failed' && mx.includes(host));
  const found = isAddress ? [host] : isPublicDomain(host) ? await dns.addresses(host) : [];
  const addresses = found === 'failed' ? found : found.filter(isPublicAddress).slice(0, MAX_ADDRESSES);
  return { host, isOwn: isAddress || isNamed, addresses };
}

interface SpfNeed {
  readonly term: string;
  isMetBy(spf: Spf): boolean;
}

const includeNeed = (domain: string): SpfNeed => ({
  term: `include:${domain}`,
  isMetBy: ({ included }) => included.has(domain),
});

/** Returns the SPF terms that own mail servers need. Those of other companies and private addresses are not known. */
function serverNeeds(servers: readonly MailServer[]): SpfNeed[] {
  const own = servers.filter(({ isOwn, addresses }) => isOwn && addresses !== 'failed' && addresses.length > 0);
  return own.map(({ host, addresses }) => ({
    term: isIP(host) > 0 ? `ip${isIP(host)}:${host}` : `a:${host}`,
    isMetBy: (spf) => (addresses as readonly string[]).every((address) => allows(spf, address)),
  }));
}

interface SpfQuestion {
  /** The domain of the return address. */
  readonly name: string;
  readonly needs: readonly SpfNeed[];
  /** The companies or mail servers that need the record; empty if no record is needed. */
  readonly neededBy: readonly string[];
  /** Whether the name can be another one, which Passbell does not know. */
  readonly isGuess: boolean;
}

/** Returns the questions for the domain itself, and for other return addresses. */
function spfQuestions(domain: string, senders: readonly Sender[], servers: readonly MailServer[]): SpfQuestion[] {
  const others = senders.flatMap(({ service, signingDomain, title }) =>
    service?.spf
      ? [{ name: `${service.spf.prefix}${signingDomain}`, title, need: includeNeed(service.spf.include), service }]
      : [],
  );
  const at = (name: string) => others.filter((other) => other.name === name);
  const named = [...new Set([domain, ...others.map(({ name }) => name)])];
  return named.map((name) => ({
    name,
    needs: [...at(name).map(({ need }) => need), ...(name === domain ? serverNeeds(servers) : [])],
    neededBy: [...at(name).map(({ title }) => title), ...(name === domain ? servers.map(({ host }) => host) : [])],
    isGuess: at(name).some(({ service }) => service.spf?.prefix !== ''),
  }));
}

function withoutSpf({ name, needs, neededBy, isGuess }: SpfQuestion): Finding {
  if (neededBy.length === 0)
    return ok('SPF', `${name} has no SPF record. None is needed, because the return address is the provider's.`);
  const value =
    needs.length > 0
      ? spfWith(
          [],
          needs.map(({ term }) => term),
        )
      : undefined;
  const help = value === undefined ? `Ask whoever runs ${neededBy.join(', ')} for the value.` : undefined;
  const fix = fixOf(name, { type: 'TXT', name, value }, help);
  return isGuess
    ? unknown(
        'SPF',
        `${name} has no SPF record. ${neededBy.join(', ')} needs one, unless its emails have another return address.`,
        fix,
      )
    : problem(
        'SPF',
        `${name} has no SPF record. This record lists the servers that may send emails for the domain.`,
        fix,
      );
}

async function checkSpf(question: SpfQuestion, dns: Dns): Promise<Finding> {
  const { name, needs } = question;
  const spf = await readSpf(
    name,
    dns,
    needs.some(({ term }) => !term.startsWith('include:')),
  );
  if (spf === 'failed') return noAnswer('SPF', name);
  const { records, lookups } = spf;
  const missing = needs.filter((need) => !need.isMetBy(spf)).map(({ term }) => term);
  const corrected = () => fixOf(name, { type: 'TXT', name, value: spfWith(records, missing) }, undefined, 'Replace');
  if (records.length === 0) return withoutSpf(question);
  if (records.length > 1)
    return problem('SPF', `${name} has ${records.length} SPF records, so receivers ignore all of them.`, corrected());
  if (spf.problem !== undefined) return problem('SPF', `Receivers reject the SPF record of ${name}: ${spf.problem}.`);
  if (lookups > MAX_SPF_LOOKUPS)
    return problem(
      'SPF',
      `The SPF record of ${name} needs more than ${MAX_SPF_LOOKUPS} DNS lookups, so receivers reject it. Remove the terms of services that you no longer use.`,
    );
  if (allQualifier(records[0]!) === '+')
    return problem('SPF', `The SPF record of ${name} lets any server send emails for the domain (+all).`, corrected());
  if (missing.length > 0 && !spf.isComplete) return noAnswer('SPF', name);
  if (missing.length > 0)
    return problem('SPF', `The SPF record of ${name} lacks ${missing.join(' and ')}.`, corrected());
  return ok(
    'SPF',
    `The SPF record of ${name} is valid. It needs ${lookups} of at most ${MAX_SPF_LOOKUPS} DNS lookups.`,
  );
}

const tagsOf = (record: string): ReadonlyMap<string, string> =>
  new Map(
    record.split(';').map((tag): [string, string] => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );

/** Returns why a DKIM record is unusable; undefined if it contains a public key. */
function keyProblem(record: string): string | undefined {
  const tags = tagsOf(record);
  const key = tags.get('p')?.replace(/\s/g, '') ?? '';
  if (key === '') return 'is empty: the key was revoked';
  if (tags.get('k') === 'ed25519') return Buffer.from(key, 'base64').length === 32 ? undefined : 'is not a valid key';
  try {
    createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return undefined;
  } catch {
    return 'is not a valid key. Check that it was pasted completely';
  }
}

const isKey = (record: string): boolean => tagsOf(record).has('p');

async function checkDkim({ service, title, signingDomain, selectors }: Sender, dns: Dns): Promise<Finding> {
  const help = service?.help;
  if (selectors.length === 0) {
    const reason = service
      ? `${title} uses different DKIM record names for each customer. ${help}`
      : `The name of the DKIM record depends on how ${title} signs emails.`;
    return unknown('DKIM', `${reason} To check the record, enter its DKIM selector in the settings of the provider.`);
  }
  const names = selectors.map((selector) => `${selector}._domainkey.${signingDomain}`);
  const answers = await Promise.all(names.map(dns.texts));
  const found = answers.flatMap((answer, n) =>
    answer === 'failed' ? [] : answer.filter(isKey).map((record) => ({ name: names[n]!, wrong: keyProblem(record) })),
  );
  const valid = found.find(({ wrong }) => wrong === undefined);
  if (valid) return ok('DKIM', `${valid.name} has a DKIM key.`);
  if (answers.includes('failed')) return noAnswer('DKIM', names[answers.indexOf('failed')]!);
  const [unusable] = found;
  const name = unusable?.name ?? names[0]!;
  const record = { type: service?.dkimType ?? 'TXT', name, value: undefined };
  const where = help ?? `Ask whoever runs ${title} for the value.`;
  const fix = fixOf(signingDomain, record, where, unusable ? 'Replace' : 'Add');
  return unusable
    ? problem('DKIM', `The DKIM record ${name} ${unusable.wrong}.`, fix)
    : problem('DKIM', `${signingDomain} has no DKIM record. Receivers need one to verify emails from ${title}.`, fix);
}

const isDmarc = (text: string): boolean => /^v=DMARC1\s*(?:;|$)/.test(text);
const POLICIES = ['none', 'quarantine', 'reject'];

/**
 * Returns the names that can have the policy of the domain: its own, and those of the domains above it, except for the
 * top-level domain.
 */
function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  const above = labels.slice(1, -1).map((_label, n) => labels.slice(n + 1).join('.'));
  return [domain, ...above.slice(-7)].map((name) => `_dmarc.${name}`);
}

async function checkDmarc(domain: string, dns: Dns): Promise<Finding> {
  const names = dmarcNames(domain);
  const answers = await Promise.all(
    names.map(async (name): Promise<Answer<string>> => {
      const answer = await dns.texts(name);
      return answer === 'failed' ? answer : answer.filter(isDmarc);
    }),
  );
  const suggested = { type: 'TXT', name: names[0]!, value: 'v=DMARC1; p=none' };
  for (const [n, answer] of answers.entries()) {
    const name = names[n]!;
    if (answer === 'failed') return noAnswer('DMARC', name);
    const [record] = answer;
    if (record === undefined) continue;
    if (answer.length > 1)
      return problem(
        'DMARC',
        `${name} has ${answer.length} DMARC records, so receivers ignore all of them. Remove all but one.`,
      );
    const tags = tagsOf(record);
    const policy = ((n > 0 ? tags.get('sp') : undefined) ?? tags.get('p') ?? '').toLowerCase();
    if (!POLICIES.includes(policy))
      return problem(
        'DMARC',
        `The DMARC record ${name} has no valid policy: p, and sp if it is present, must be none, quarantine or reject.`,
        fixOf(name.replace('_dmarc.', ''), { ...suggested, name }, undefined, 'Replace'),
      );
    const effect =
      policy === 'none' ? 'Receivers still accept forged emails.' : 'Receivers quarantine or reject forged emails.';
    return ok('DMARC', `${name} has a DMARC record with the policy ${policy}. ${effect}`);
  }
  return problem('DMARC', `${domain} has no DMARC record, which Gmail and Yahoo expect.`, fixOf(domain, suggested));
}

function checkMx(domain: string, mx: Answer<string>, servers: readonly MailServer[]): Finding {
  if (mx === 'failed') return noAnswer('MX', domain);
  if (mx.some((name) => name !== '' && name !== '.')) return ok('MX', `${domain} can receive replies and bounces.`);
  const own = servers.find(({ host, isOwn }) => isOwn && isIP(host) === 0);
  const fix = fixOf(
    domain,
    { type: 'MX', name: domain, value: own && `10 ${own.host}.` },
    own ? undefined : 'The company that hosts your mailboxes shows the value.',
    mx.length > 0 ? 'Replace' : 'Add',
  );
  return mx.length > 0
    ? problem('MX', `According to its MX record, ${domain} accepts no email, so some receivers reject its emails.`, fix)
    : problem('MX', `${domain} has no MX record, so replies and bounces may be lost.`, fix);
}

/** Returns the name of an IP address for reverse lookups: `192.0.2.1` → `1.2.0.192.in-addr.arpa`. */
export function reverseName(address: string): string {
  const bytes = ipaddr.parse(address).toByteArray();
  if (bytes.length === 4) return `${bytes.reverse().join('.')}.in-addr.arpa`;
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

async function checkAddress(host: string, address: string, dns: Dns): Promise<Finding> {
  const names = await dns.hostNames(address);
  if (names === 'failed') return noAnswer('PTR', reverseName(address));
  const back = await Promise.all(names.slice(0, MAX_ADDRESSES).map(dns.addresses));
  const isConfirmed = back.some((found) => found !== 'failed' && found.some((other) => isSameAddress(other, address)));
  if (isConfirmed)
    return ok('PTR', `The PTR record of the IP address ${address} of ${host} resolves back to this address.`);
  if (back.includes('failed')) return noAnswer('PTR', names[0]!);
  const record = { type: 'PTR', name: reverseName(address), value: isIP(host) > 0 ? undefined : `${host}.` };
  const by = `the company that provides the IP address ${address}, usually your hosting company`;
  const help = record.value === undefined ? 'The value is the host name of your mail server.' : undefined;
  const fix: Fix = { action: names.length > 0 ? 'Replace' : 'Add', record, help, by };
  return names.length > 0
    ? problem(
        'PTR',
        `The PTR record of the IP address ${address} (${names[0]}) does not resolve back to this address.`,
        fix,
      )
    : problem(
        'PTR',
        `The IP address ${address} of ${host} has no PTR record, so many receivers reject its emails.`,
        fix,
      );
}

/** Only own mail servers are checked: at a company, other servers send the emails, and the company names them. */
async function checkPtr({ host, isOwn, addresses }: MailServer, dns: Dns): Promise<Finding[]> {
  if (addresses === 'failed') return [noAnswer('PTR', host)];
  if (addresses.length === 0)
    return [unknown('PTR', `${host} has no public IP address, so Passbell does not know which address receivers see.`)];
  if (!isOwn) return [unknown('PTR', `The company that runs ${host} is responsible for the names of its servers.`)];
  return Promise.all(addresses.map((address) => checkAddress(host, address, dns)));
}

export async function checkDomain({ domain, senders }: SenderDomain, dns: Dns): Promise<readonly Finding[]> {
  if (!isPublicDomain(domain)) return [unknown('Domain', `${domain} is not a public domain.`)];
  const mx = await dns.mailServers(domain);
  const hosts = [...new Set(senders.map(({ host }) => host).filter(Boolean))];
  const servers = await Promise.all(hosts.map((host) => mailServerOf(host, domain, mx, dns)));
  const [spf, dkim, dmarc, ptr] = await Promise.all([
    Promise.all(spfQuestions(domain, senders, servers).map((question) => checkSpf(question, dns))),
    Promise.all(senders.map((sender) => checkDkim(sender, dns))),
    checkDmarc(domain, dns),
    Promise.all(servers.map((server) => checkPtr(server, dns))),
  ]);
  return [...spf, ...dkim, dmarc, checkMx(domain, mx, servers), ...ptr.flat()];
}
