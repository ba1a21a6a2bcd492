/** A DNS server that answers from a table, over UDP and TCP. */
import type { AddressInfo } from 'node:net';
import { createTCPServer, createUDPServer, Packet, type DnsHandler } from 'dns2';
import { waiting } from './wait.js';

type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'TXT';

/** Records by name and type: `shop.com TXT`. A TXT record of several strings is a list. */
export type Zone = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** `silent`: never replies. `broken`: replies SERVFAIL. */
type Behavior = 'answers' | 'broken' | 'silent';

export interface DnsServer {
  /** `127.0.0.1:port`, for the setting `DNS_SERVERS`. */
  readonly address: string;
  /** The questions so far, as `shop.com TXT`. */
  readonly questions: readonly string[];
  respondWith(change: { readonly zone?: Zone; readonly behavior?: Behavior }): void;
  close(): Promise<void>;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;

const typeName = (type: number): string => Object.entries(Packet.TYPE).find(([, value]) => value === type)?.[0] ?? '';

function dataOf(type: RecordType, value: string | readonly string[]): object {
  const text = String(value);
  switch (type) {
    case 'A':
    case 'AAAA':
      return { address: text };
    case 'CNAME':
    case 'PTR':
      return { domain: text };
    case 'MX': {
      const [priority, exchange] = text.split(' ');
      return { priority: Number(priority), exchange };
    }
    case 'TXT':
      return { data: Array.isArray(value) ? value : [value] };
  }
}

const BINDING_ATTEMPTS = 10;

/**
 * Listens on one port over UDP and TCP, because resolvers repeat a question over TCP if the answer is too long for UDP.
 * Another program can have the port that was free for UDP, so other ports are tried.
 */
async function listen(handle: DnsHandler, attempt = 1) {
  const udp = createUDPServer(handle);
  await waiting('the DNS server', new Promise((resolve) => udp.bind(0, '127.0.0.1', () => resolve(undefined))));
  const { port } = udp.address() as AddressInfo;
  const tcp = createTCPServer(handle);
  try {
    const listening = new Promise((resolve, reject) => {
      tcp.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
    });
    await waiting('the DNS server', listening);
    return { udp, tcp, port };
  } catch (error) {
    await new Promise((resolve) => udp.close(() => resolve(undefined)));
    if (attempt === BINDING_ATTEMPTS) throw error;
    return listen(handle, attempt + 1);
  }
}

export async function startDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const questions: string[] = [];
  const state: { zone: Zone; behavior: Behavior } = { zone, behavior: 'answers' };

  const handle: DnsHandler = (request, send) => {
    const [question] = request.questions;
    const name = question!.name.toLowerCase();
    const type = typeName(question!.type!) as RecordType;
    questions.push(`${name} ${type}`);
    if (state.behavior === 'silent') return;
    const response = Packet.createResponseFromRequest(request);
    const isKnown = Object.keys(state.zone).some((key) => key.startsWith(`${name} `));
    response.header.rcode = state.behavior === 'broken' ? SERVFAIL : isKnown ? 0 : NXDOMAIN;
    for (const value of state.behavior === 'broken' ? [] : (state.zone[`${name} ${type}`] ?? []))
      response.answers.push({ name, type: question!.type!, class: 1, ttl: 60, ...dataOf(type, value) } as never);
    void send(response);
  };

  const { udp, tcp, port } = await listen(handle);
  return {
    address: `127.0.0.1:${port}`,
    questions,
    respondWith: (change) => void Object.assign(state, change),
    async close() {
      await new Promise((resolve) => udp.close(() => resolve(undefined)));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}
