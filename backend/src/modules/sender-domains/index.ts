/** Checks whether receivers can trust the emails of an account: the DNS records of its senders' domains. */
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { createDns, type Dns } from '../../platform/dns.js';
import { describeError, type Log } from '../../platform/log.js';
import { OPERATOR, requireRight, type Actor } from '../access/actor.js';
import type { ProvidersService } from '../providers/providers-service.js';
import { checkDomain } from './check-domain.js';
import { senderDomainsOf, type DomainView, type Finding, type SenderDomain } from './sender-domain.js';

/** After this time, a visit starts another check. DNS records change rarely. */
const MAX_AGE = 15 * MINUTE;
/** How soon a person can check again. */
const MIN_AGE = 10 * SECOND;
/** The number of domains whose results are stored. Beyond it, the oldest are dropped. */
const MAX_DOMAINS = 1000;

/** The state of a check. Results are only in memory: they are a copy of public data, and checking again is cheap. */
interface Entry {
  running: Promise<void> | undefined;
  checkedAt: number | undefined;
  findings: readonly Finding[];
}

export function createSenderDomains(
  providers: Pick<ProvidersService, 'list'>,
  clock: Clock,
  log: Log,
  servers: readonly string[] | undefined,
) {
  /** By domain and its senders, so that accounts with the same domain and the same kind of provider share a check. */
  const entries = new Map<string, Entry>();
  const open = new Set<Dns>();

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { running: undefined, checkedAt: undefined, findings: [] };
    entries.set(key, entry);
    if (entries.size > MAX_DOMAINS) entries.delete(entries.keys().next().value!);
    return entry;
  }

  async function check(entry: Entry, senderDomain: SenderDomain): Promise<void> {
    const dns = createDns(servers);
    open.add(dns);
    try {
      entry.findings = await checkDomain(senderDomain, dns);
      entry.checkedAt = clock.now();
    } catch (error) {
      log.error({ err: describeError(error) }, 'the check of a sender domain failed');
    } finally {
      open.delete(dns);
      entry.running = undefined;
    }
  }

  /** Starts a check of a domain if its results are older than `maxAge`. */
  function refresh(senderDomain: SenderDomain, maxAge: number): Entry {
    const entry = entryOf(JSON.stringify(senderDomain));
    const isRecent = entry.checkedAt !== undefined && clock.now() - entry.checkedAt < maxAge;
    if (!isRecent) entry.running ??= check(entry, senderDomain);
    return entry;
  }

  const domainsOf = async (accountId: number) => senderDomainsOf(await providers.list(OPERATOR, accountId));

  const viewOf = ({ domain }: SenderDomain, { running, checkedAt, findings }: Entry): DomainView => ({
    domain,
    isRunning: running !== undefined,
    checkedAt,
    findings,
  });

  return {
    /** Returns the latest results, and starts checks in the background. Never waits for DNS. */
    async list(actor: Actor, accountId: number): Promise<readonly DomainView[]> {
      requireRight(actor, 'read');
      return (await domainsOf(accountId)).map((domain) => viewOf(domain, refresh(domain, MAX_AGE)));
    },

    /** Starts new checks, unless the results are only seconds old. */
    async checkAgain(actor: Actor, accountId: number): Promise<void> {
      requireRight(actor, 'read');
      for (const domain of await domainsOf(accountId)) refresh(domain, MIN_AGE);
    },

    /** Checks all domains of an account, and waits for the results. */
    async checkNow(accountId: number): Promise<readonly DomainView[]> {
      return Promise.all(
        (await domainsOf(accountId)).map(async (domain) => {
          const entry = refresh(domain, 0);
          await entry.running;
          return viewOf(domain, entry);
        }),
      );
    },

    stop(): void {
      for (const dns of open) dns.cancel();
    },
  };
}
