/** The servers of the tests: one of each kind for all of them, and private ones for who breaks them. */
import { findServer, wayOfEnvironment, waysToStart, type Way } from './find.js';
import { MYSQL, REDIS, type Kind } from './kinds.js';
import type { PrivateServer } from './private-server.js';

export type { PrivateServer } from './private-server.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const quiet = (): void => {};

/** A server that all tests share. */
interface Shared {
  readonly url: string;
  readonly version: string;
  close?(): Promise<void>;
}

async function share(kind: Kind, variable: string): Promise<Shared> {
  const ways: Way<Shared>[] = [wayOfEnvironment(kind, process.env), ...waysToStart(kind, say)];
  const { server, how } = await findServer(kind, ways);
  say(`tests: ${server.version} at ${new URL(server.url).host}, ${how}`);
  process.env[variable] = server.url;
  return server;
}

/**
 * Finds or starts both, tells how, and puts their addresses into the environment, which test files inherit. Answers what
 * ends those that were started.
 */
export async function shareServers(): Promise<() => Promise<void>> {
  const results = await Promise.allSettled([
    share(MYSQL, 'PASSBELL_TEST_MYSQL_URL'),
    share(REDIS, 'PASSBELL_TEST_REDIS_URL'),
  ]);
  const close = async () => {
    await Promise.all(results.map((one) => one.status === 'fulfilled' && one.value.close?.()));
  };
  const problems = results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
  if (problems.length === 0) return close;
  await close();
  throw new Error(problems.join('\n'));
}

const startPrivate = async (kind: Kind): Promise<PrivateServer> =>
  (await findServer(kind, waysToStart(kind, quiet))).server;

/** A MySQL of the test's own; its user may make databases. */
export const startMysql = (): Promise<PrivateServer> => startPrivate(MYSQL);
/** A Redis of the test's own, which keeps what it holds over a restart. */
export const startRedis = (): Promise<PrivateServer> => startPrivate(REDIS);
