/** The checks of `passbell doctor`. Each check returns a finding, with advice if something is wrong. */
import { statfs } from 'node:fs/promises';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { canOpenSecrets } from '../modules/applications/application-secrets.js';
import { stateText } from '../modules/providers/provider-state.js';
import type { ProviderView } from '../modules/providers/provider-view.js';
import { problemsOf, type Finding as DnsFinding } from '../modules/sender-domains/sender-domain.js';
import { SECOND } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { describeError } from '../platform/log.js';
import { adviceFor } from '../platform/redis-server.js';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text });
const warning = (check: string, text: string): Finding => ({ check, state: 'warning', text });
export const problem = (check: string, text: string): Finding => ({ check, state: 'problem', text });

const MEGABYTE = 1024 * 1024;
/** With less free space, SQLite may soon be unable to write, and sends would fail. */
const MIN_FREE_BYTES = 200 * MEGABYTE;
/** Enough free space for the data that a small shop adds in about a week. */
const GOOD_FREE_BYTES = 2048 * MEGABYTE;
/**
 * Maximum difference between the clocks of this machine and the database. With a larger difference, signatures and
 * codes may be rejected.
 */
const MAX_CLOCK_DIFFERENCE_MS = 30 * SECOND;
const BASE_URL_TIMEOUT_MS = 5 * SECOND;

export async function checkDisk({ DATA_DIR, DATABASE_URL }: Config): Promise<Finding> {
  const check = 'disk';
  if (DATABASE_URL !== undefined) return ok(check, 'Data is stored in MySQL. Monitor the disk of the MySQL server.');
  const { bavail, bsize } = await statfs(DATA_DIR);
  const free = `${Math.floor((bavail * bsize) / MEGABYTE)} MB free in ${DATA_DIR}.`;
  if (bavail * bsize < MIN_FREE_BYTES) return problem(check, `${free} Free some space now.`);
  return bavail * bsize < GOOD_FREE_BYTES ? warning(check, `${free} Free some space soon.`) : ok(check, free);
}

/** Checks whether a service does its work. `check`: `database` or `redis`. */
export async function checkService(check: string, call: () => Promise<unknown>): Promise<Finding> {
  try {
    await call();
    return ok(check, 'It replies.');
  } catch (error) {
    const { reason } = describeError(error);
    const advice = adviceFor(reason);
    const text =
      advice === undefined
        ? 'It does not reply. Check its URL in the settings, and make sure that it is running.'
        : `It replies ${reason}. ${advice}`;
    return problem(check, text);
  }
}

/** Checks a limit and adds a job, as a send does. */
export async function checkRedis({ checks, inspectRedis }: Pick<Core, 'checks' | 'inspectRedis'>): Promise<Finding> {
  const check = 'redis';
  const found = await inspectRedis();
  if (found.problem !== undefined) return problem(check, found.problem);
  const finding = await checkService(check, checks.redis!);
  return finding.state === 'ok' && found.warning !== undefined ? warning(check, found.warning) : finding;
}

/**
 * Compares the clocks of this machine and the database. In a scaled installation, `core.clock` follows the database
 * time.
 */
export function checkClock({ clock, config }: Pick<Core, 'clock' | 'config'>): Finding {
  const check = 'clock';
  if (config.DATABASE_URL === undefined)
    return ok(check, `The time is ${new Date(clock.now()).toISOString()}. Use NTP to keep the clock correct.`);
  const difference = Math.abs(clock.now() - Date.now());
  const seconds = Math.round(difference / SECOND);
  return difference > MAX_CLOCK_DIFFERENCE_MS
    ? problem(check, `The clocks of this machine and the database differ by ${seconds} seconds. Turn on NTP on both.`)
    : ok(check, 'This machine and the database agree on the time.');
}

/** Checks whether SECRET_KEY decrypts the stored secrets. Otherwise, messages wait and two-factor fails. */
export async function checkSecretKey({
  applications,
  keyring,
}: Pick<Core, 'applications' | 'keyring'>): Promise<Finding> {
  const check = 'SECRET_KEY';
  return canOpenSecrets(await applications.service.list(), keyring)
    ? ok(check, 'It decrypts the stored secrets.')
    : problem(check, 'It does not decrypt all stored secrets. Append the key that encrypted them: SECRET_KEY=new,old.');
}

/** Returns the finding for a provider after a check of its credentials, from the same state as the dashboard shows. */
function providerFinding(
  { id, name, state, channels: [channel = 'SMS'] }: ProviderView,
  rejection: string | undefined,
): Finding {
  const check = `provider ${name}`;
  const text = `State: ${stateText(state)}.`;
  if (rejection !== undefined && state.kind !== 'failing')
    return problem(check, `${text} Its credentials could not be confirmed: ${rejection}.`);
  switch (state.kind) {
    case 'failing':
      return problem(check, `${text} Correct its settings.`);
    case 'not verified':
      return warning(
        check,
        `${text} Send a test message: ${operatorCommand()} provider test ${id} --to RECIPIENT --channel ${channel}`,
      );
    default:
      return ok(check, text);
  }
}

/**
 * Checks the credentials of the operator's providers, without sending a message, and reports their states. Other
 * accounts' owners check their own providers.
 */
export async function checkProviders({ applications, providers }: Core): Promise<readonly Finding[]> {
  const accountId = (await applications.service.accountId(OPERATOR_ACCOUNT)) ?? 0;
  const list = async () => (await providers.service.list(OPERATOR, accountId)).filter(({ enabled }) => enabled);
  const problems = new Map<string, string>();
  for (const { id } of await list()) {
    const result = await providers.service
      .check(OPERATOR, accountId, id)
      .catch((error: Error) => ({ ok: false, reason: error.message }) as const);
    if (result !== 'unsupported' && !result.ok) problems.set(id, result.reason);
  }
  const findings = (await list()).map((provider) => providerFinding(provider, problems.get(provider.id)));
  const isLive = [...providers.routing.operatorProviders.values()].some(({ standIn }) => !standIn);
  if (!isLive) findings.push(warning('providers', 'No channel is live. Add a provider on the Channels page.'));
  return findings;
}

/** Returns a problem with the record that corrects it. */
function problemText({ check, text, fix }: DnsFinding): string {
  if (!fix) return `${check}: ${text}`;
  const { action, record, help, by } = fix;
  const value = record.value ?? '(see below)';
  const what = `${action} this record, or ask ${by}: ${record.name} ${record.type} ${value}`;
  return [`${check}: ${text}`, what, ...(help === undefined ? [] : [help])].join('\n');
}

/**
 * Checks the DNS records of the sender's domain. They never end the command with code 1, because Passbell works without
 * them.
 */
export async function checkSenderDomains({ applications, senderDomains }: Core): Promise<readonly Finding[]> {
  const accountId = (await applications.service.accountId(OPERATOR_ACCOUNT)) ?? 0;
  return (await senderDomains.checkNow(accountId)).map((view) => {
    const problems = problemsOf(view);
    const shown = problems.length > 0 ? problems : view.findings.filter(({ state }) => state === 'unknown');
    return {
      check: `emails from ${view.domain}`,
      state: problems.length > 0 ? 'warning' : 'ok',
      text: shown.length > 0 ? shown.map(problemText).join('\n') : 'Receivers can verify them.',
    };
  });
}

/** Checks whether this machine can reach the public URL, and Passbell replies. */
export async function checkBaseUrl({ BASE_URL }: Config): Promise<Finding> {
  const check = 'BASE_URL';
  if (BASE_URL === undefined)
    return warning(check, 'It is not set, so links in emails point to this machine. Set it to the public URL.');
  try {
    const reply = await fetch(`${BASE_URL}/health/live`, { signal: AbortSignal.timeout(BASE_URL_TIMEOUT_MS) });
    const body: unknown = await reply.json().catch(() => undefined);
    if ((body as { status?: string } | undefined)?.status === 'ok') return ok(check, `${BASE_URL} is reachable.`);
    return problem(
      check,
      `${BASE_URL}/health/live replies with status ${reply.status}, but the reply is not from Passbell. Check the proxy.`,
    );
  } catch {
    return problem(
      check,
      `${BASE_URL} cannot be reached from this machine. Check DNS and the proxy, and make sure that the server is running.`,
    );
  }
}

/** Checks TRUST_PROXY. An https URL implies a proxy, because Passbell itself only supports http. */
export function checkProxy({ BASE_URL, TRUST_PROXY }: Config): Finding {
  const check = 'proxy';
  const hasProxy = BASE_URL?.startsWith('https:') === true;
  if (hasProxy && TRUST_PROXY === false)
    return problem(
      check,
      "BASE_URL uses https, so there must be a proxy, but TRUST_PROXY is not set. All callers appear to have the proxy's IP address, and share one set of limits. Set TRUST_PROXY to the number of proxies.",
    );
  if (!hasProxy && TRUST_PROXY !== false)
    return warning(
      check,
      'TRUST_PROXY is set, but BASE_URL does not use https. Without a proxy, callers can fake their IP address. Remove TRUST_PROXY, or set BASE_URL.',
    );
  return ok(check, hasProxy ? 'TRUST_PROXY is set.' : 'No proxy is expected.');
}
