/** Queries DNS servers directly. Replies are untrusted: their number and length are limited. */
import { Resolver } from 'node:dns/promises';
import { printable } from './control-characters.js';

/** Time limit for the first attempt; the second one gets twice as long. */
const TIMEOUT_MS = 1500;
/** No domain needs more records of one type. */
const MAX_RECORDS = 50;
/** Longer texts are cut off. DKIM keys of 4096 bits need about 800 characters. */
const MAX_TEXT = 4000;

/** Replies which mean that there is no such record, or that there can be none with this name. */
const ABSENT = ['ENODATA', 'ENOTFOUND', 'EBADNAME'];

/** The records, none if the servers say that there are none. `failed`: no server replied, or the reply was an error. */
export type Answer<T> = readonly T[] | 'failed';

export type Dns = ReturnType<typeof createDns>;

const ask = <T>(query: Promise<T[]>): Promise<Answer<T>> =>
  query.then(
    (records) => records.slice(0, MAX_RECORDS),
    ({ code }: NodeJS.ErrnoException) => (ABSENT.includes(code ?? '') ? [] : 'failed'),
  );

/** `servers`: IP addresses with an optional port; the servers of the system if undefined. */
export function createDns(servers?: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);

  /** Returns texts without control characters. A text of several strings is joined. */
  async function texts(name: string): Promise<Answer<string>> {
    const answer = await ask(resolver.resolveTxt(name));
    return answer === 'failed'
      ? answer
      : answer.map((parts) => printable(parts.join('').replace(/\s/g, ' ')).slice(0, MAX_TEXT));
  }

  async function addresses(name: string): Promise<Answer<string>> {
    const [v4, v6] = await Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    return v4 === 'failed' || v6 === 'failed' ? 'failed' : [...v4, ...v6];
  }

  return {
    texts,
    addresses,
    /** Returns the names of mail servers. A domain that accepts no email has an empty name (RFC 7505). */
    async mailServers(name: string): Promise<Answer<string>> {
      const answer = await ask(resolver.resolveMx(name));
      return answer === 'failed' ? answer : answer.map(({ exchange }) => exchange.toLowerCase());
    },
    hostNames: (address: string): Promise<Answer<string>> => ask(resolver.reverse(address)),
    /** Ends queries in progress, whose answers are then `failed`. */
    cancel: (): void => resolver.cancel(),
  };
}
