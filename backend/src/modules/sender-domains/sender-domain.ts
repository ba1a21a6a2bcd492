/** The domains of senders, and the results of checks of their DNS records. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { senderOf } from '../../providers/email.js';
import { MAIL_SERVICES, type MailService } from '../../providers/mail-services.js';
import type { ProviderView } from '../providers/provider-view.js';

/** How a provider sends emails of the domain. */
export interface Sender {
  /** Undefined for other mail servers. */
  readonly service: MailService | undefined;
  /** Such as `SendGrid`, or the host name of the mail server. */
  readonly title: string;
  /** The mail server's host name or IP address, without brackets; "" for APIs. */
  readonly host: string;
  /** The domain in signatures and, of some services, in return addresses. Mostly the sender's domain. */
  readonly signingDomain: string;
  /** The names of DKIM keys; empty if Passbell does not know them. */
  readonly selectors: readonly string[];
}

export interface SenderDomain {
  /** In ASCII and lower case. */
  readonly domain: string;
  readonly senders: readonly Sender[];
}

export interface DnsRecord {
  readonly type: string;
  readonly name: string;
  /** Undefined if only the company that sends the emails knows it. */
  readonly value: string | undefined;
}

export interface Fix {
  readonly action: 'Add' | 'Replace';
  readonly record: DnsRecord;
  /** One sentence: where the value is shown. */
  readonly help?: string | undefined;
  /** The person or company that can change the record, such as `whoever manages the DNS of shop.example`. */
  readonly by: string;
}

/** `unknown`: it could not be checked, so it is neither right nor wrong. */
export interface Finding {
  readonly check: 'Domain' | 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'PTR';
  readonly state: 'ok' | 'problem' | 'unknown';
  readonly text: string;
  readonly fix?: Fix | undefined;
}

export interface DomainView {
  readonly domain: string;
  readonly isRunning: boolean;
  /** Undefined if the domain has not been checked yet. */
  readonly checkedAt: number | undefined;
  readonly findings: readonly Finding[];
}

const DOMAIN = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Top-level domains that do not exist in the public DNS (RFC 2606, 6761 and 6762). */
const NOT_PUBLIC = /\.(?:example|internal|invalid|lan|local|localhost|test)$/;

/** Whether the public DNS can contain the domain. */
export const isPublicDomain = (domain: string): boolean =>
  domain.length <= 253 && DOMAIN.test(domain) && !NOT_PUBLIC.test(domain);

/** Returns the domain of an email address in ASCII: `ana@Bücher.example` → `xn--bcher-kva.example`. */
function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domainToASCII(domain) || domain;
}

/** Returns the host of an SMTP server: `[::1]:25` → `::1`. */
function hostOf(host: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(host) ?? [];
  return (bracketed ?? (isIP(host) ? host : host.split(':')[0]!)).toLowerCase();
}

function senderThrough({ type, settings }: Pick<ProviderView, 'type' | 'settings'>, domain: string): Sender {
  const host = type === 'smtp' ? hostOf(settings.host ?? '') : '';
  const service = MAIL_SERVICES.find((known) => (host === '' ? known.type === type : known.smtpHost.test(host)));
  return {
    service,
    title: service?.title ?? (host || type),
    host: service ? '' : host,
    signingDomain: settings.domain === undefined ? domain : domainOf(settings.domain),
    selectors: settings.dkimSelector === undefined ? (service?.selectors ?? []) : [settings.dkimSelector],
  };
}

/** Returns the sender domains of the providers that are on and send emails. */
export function senderDomainsOf(providers: readonly ProviderView[]): SenderDomain[] {
  const domains = new Map<string, Map<string, Sender>>();
  for (const { enabled, channels, type, settings } of providers) {
    if (!enabled || !channels.includes('EMAIL') || settings.from === undefined) continue;
    const domain = domainOf(senderOf(settings.from).email);
    const sender = senderThrough({ type, settings }, domain);
    const senders = domains.get(domain) ?? new Map<string, Sender>();
    domains.set(domain, senders.set(JSON.stringify(sender), sender));
  }
  return [...domains].map(([domain, senders]) => ({ domain, senders: [...senders.values()] }));
}

export const problemsOf = ({ findings }: Pick<DomainView, 'findings'>): readonly Finding[] =>
  findings.filter(({ state }) => state === 'problem');
