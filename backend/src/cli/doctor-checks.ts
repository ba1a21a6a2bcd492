/** The checks of `passbell doctor`. Each returns what it found, and what to do. */
import { statfs } from 'node:fs/promises';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { SECOND } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

const MEGABYTE = 1024 * 1024;
/** SQLite needs free space to write; below this, sends start to fail soon. */
const MIN_FREE_BYTES = 200 * MEGABYTE;
/** Free space for about a week of a small shop. */
const GOOD_FREE_BYTES = 2048 * MEGABYTE;
/** Difference between the clocks of this machine and the database, from which on signatures and codes may be refused. */
const MAX_CLOCK_DIFFERENCE_MS = 30 * SECOND;
const BASE_URL_TIMEOUT_MS = 5 * SECOND;

export async function checkDisk({ DATA_DIR, DATABASE_URL }: Config): Promise<Finding> {
  const check = 'disk';
  if (DATABASE_URL !== undefined)
    return { check, state: 'ok', text: 'Data is stored in MySQL. Watch the disk of its server.' };
  const { bavail, bsize } = await statfs(DATA_DIR);
  const free = `${Math.floor((bavail * bsize) / MEGABYTE)} MB free in ${DATA_DIR}.`;
  if (bavail * bsize < MIN_FREE_BYTES) return { check, state: 'problem', text: `${free} Free some space now.` };
  return bavail * bsize < GOOD_FREE_BYTES
    ? { check, state: 'warning', text: `${free} Free some space soon.` }
    : { check, state: 'ok', text: free };
}

/** `check`: `database` or `redis`. */
export async function checkService(check: string, call: () => Promise<unknown>): Promise<Finding> {
  try {
    await call();
    return { check, state: 'ok', text: 'It replies.' };
  } catch {
    return { check, state: 'problem', text: 'It does not reply. Check that it runs, and its URL in the settings.' };
  }
}

/** In a scaled installation, the clock of the core is the clock of the database. */
export function checkClock({ clock, config }: Pick<Core, 'clock' | 'config'>): Finding {
  const check = 'clock';
  if (config.DATABASE_URL === undefined)
    return { check, state: 'ok', text: `It is ${new Date(clock.now()).toISOString()}. Keep it correct with NTP.` };
  const difference = Math.abs(clock.now() - Date.now());
  const seconds = Math.round(difference / SECOND);
  return difference > MAX_CLOCK_DIFFERENCE_MS
    ? {
        check,
        state: 'problem',
        text: `This machine and the database differ by ${seconds} seconds. Turn on NTP on both.`,
      }
    : { check, state: 'ok', text: 'This machine and the database have the same time.' };
}

/** Sends nothing. Providers of other accounts are checked by their owners. */
export async function checkProviders({ applications, providerAccounts, providers }: Core): Promise<readonly Finding[]> {
  const accountId = (await applications.accountId(OPERATOR_ACCOUNT)) ?? 0;
  const stored = (await providerAccounts.list(OPERATOR, accountId)).filter(
    ({ readOnly, enabled }) => !readOnly && enabled,
  );
  const findings: Finding[] = [];
  for (const { id, name } of stored) {
    const result = await providerAccounts
      .check(OPERATOR, accountId, id)
      .catch((error: Error) => ({ ok: false, reason: error.message }) as const);
    const check = `provider ${name}`;
    if (result === 'unsupported')
      findings.push({ check, state: 'ok', text: 'Its credentials cannot be checked without a message.' });
    else if (result.ok) findings.push({ check, state: 'ok', text: 'Its credentials are valid.' });
    else
      findings.push({ check, state: 'problem', text: `${result.reason}. Correct its settings on the page Channels.` });
  }
  const fixed = new Set([...providers.values()].filter(({ standIn, check }) => !standIn && check));
  for (const provider of fixed) {
    if (stored.some(({ name }) => name === provider.name)) continue;
    const reason = await provider.check!().then(
      () => undefined,
      (error: Error) => error.message,
    );
    const check = `provider ${provider.name}`;
    if (reason === undefined) findings.push({ check, state: 'ok', text: 'It accepts the credentials.' });
    else findings.push({ check, state: 'problem', text: `${reason}. Correct its settings.` });
  }
  const isLive = [...providers.values()].some(({ standIn }) => !standIn);
  if (!isLive)
    findings.push({
      check: 'providers',
      state: 'warning',
      text: 'No channel is live. Add a provider on the page Channels.',
    });
  return findings;
}

/** Requests the public URL as a browser would. */
export async function checkBaseUrl({ BASE_URL }: Config): Promise<Finding> {
  const check = 'BASE_URL';
  if (BASE_URL === undefined)
    return {
      check,
      state: 'warning',
      text: 'It is not set, so links in emails lead to this machine. Set it to the public address.',
    };
  try {
    const reply = await fetch(`${BASE_URL}/health/live`, { signal: AbortSignal.timeout(BASE_URL_TIMEOUT_MS) });
    const body: unknown = await reply.json().catch(() => undefined);
    if ((body as { status?: string } | undefined)?.status === 'ok')
      return { check, state: 'ok', text: `${BASE_URL} is reachable.` };
    return {
      check,
      state: 'problem',
      text: `${BASE_URL}/health/live replies with status ${reply.status}, and not as Passbell does. Check the proxy.`,
    };
  } catch {
    return {
      check,
      state: 'problem',
      text: `${BASE_URL} cannot be reached from this machine. Check DNS, the proxy, and that the server runs.`,
    };
  }
}

/** A public address with HTTPS has a proxy in front of it, because Passbell itself speaks HTTP only. */
export function checkProxy({ BASE_URL, TRUST_PROXY }: Config): Finding {
  const check = 'proxy';
  const hasProxy = BASE_URL?.startsWith('https:') === true;
  if (hasProxy && TRUST_PROXY === false)
    return {
      check,
      state: 'problem',
      text: 'BASE_URL is https, so there is a proxy, but TRUST_PROXY is not set: all callers look like the proxy, and share their limits. Set TRUST_PROXY to the number of proxies.',
    };
  if (!hasProxy && TRUST_PROXY !== false)
    return {
      check,
      state: 'warning',
      text: 'TRUST_PROXY is set, but BASE_URL is not https. Without a proxy, callers can pretend any address. Remove TRUST_PROXY, or set BASE_URL.',
    };
  return { check, state: 'ok', text: hasProxy ? 'TRUST_PROXY is set.' : 'No proxy is expected.' };
}
