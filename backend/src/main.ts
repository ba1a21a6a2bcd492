/** The process: settings, start, signals, end. */
import { existsSync } from 'node:fs';
import { compose, type Service } from './compose.js';
import {
  ConfigError,
  devInboxEnabled,
  invitationLink,
  publicUrl,
  readConfig,
  type Config,
} from './platform/config/config.js';
import { createLog, describeError, type Log } from './platform/log.js';
import { DataDirError } from './platform/data-dir.js';
import { isDatabaseError } from './platform/db/database-errors.js';
import { listen, ListenError } from './platform/http/listen.js';

function loadSettings(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/** Something to try at once: on the first start there is one application, and a line that sends it a code. */
async function demo(config: Config, service: Service, baseUrl: string): Promise<string[]> {
  // Several processes start at one time, and nobody reads what each of them prints.
  if (config.REDIS_URL !== undefined) return ['Applications: passbell app list, passbell app create', ''];
  if ((await service.applications.list()).length > 0)
    return ['Applications: npm run --silent passbell -- app list', ''];
  const { appKey, appSecret } = await service.applications.create({ name: 'Demo' });
  return [
    'This is the first start, so there is a demo application:',
    '',
    `  App Key     ${appKey}`,
    `  App Secret  ${appSecret}   (shown only now)`,
    '',
    'Send a code:',
    '',
    `  curl -s '${baseUrl}/api/v1/auth/sendotp' -H 'clientId: ${appKey}' -H 'clientSecret: ${appSecret}' -H 'Content-Type: application/json' -d '{"to": "+14155550123"}'`,
    '',
  ];
}

/** Who comes first owns it: until somebody has joined, every start prints a link that one person can use. */
async function dashboard(config: Config, { people }: Service, baseUrl: string): Promise<string[]> {
  if (config.ROLE === 'worker') return [];
  // Several processes start at one time, and nobody reads what each of them prints: the operator command invites.
  const invited = config.REDIS_URL === undefined ? await people.inviteFirst() : undefined;
  return invited === undefined
    ? [`Dashboard:  ${baseUrl}/dashboard`]
    : [
        `Dashboard:  ${invitationLink(baseUrl, invited)}`,
        '            (for one person, who then owns it; from then on /dashboard)',
      ];
}

function channelsOf({ channels }: Service): string {
  const pairs = [...channels.values()].map(({ name, provider }) => `${name} → ${provider}`);
  return pairs.join(', ') || 'none, so nothing can be sent: SMTP_URL and TWILIO_… switch them on';
}

async function greet(config: Config, service: Service, port: number): Promise<void> {
  const baseUrl = publicUrl(config, port);
  const lines = [
    '',
    `Passbell is ready at ${baseUrl}/api/v1`,
    '',
    ...(await demo(config, service, baseUrl)),
    ...(await dashboard(config, service, baseUrl)),
    `Channels:   ${channelsOf(service)}`,
    ...(devInboxEnabled(config) ? [`Dev inbox:  ${baseUrl}/dev/inbox`, `Two-factor: ${baseUrl}/demo/two-factor`] : []),
    `API pages:  ${baseUrl}/docs`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function run(config: Config, log: Log): Promise<void> {
  const service = await compose(config, { log });
  const { HOST: host, PORT: port } = config;
  const server = await listen(service.app, { host, port, prepare: service.startWork }).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    service.beginStop();
    // Who presses a key waits for nobody's idle connection.
    await (signal === 'SIGINT' ? server.close() : server.drain());
    await service.stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

  if (config.DEV_INBOX === 'on' && !devInboxEnabled(config))
    log.warn('the dev inbox is off because HOST is not loopback; DEV_INBOX=force shows it all the same');
  await greet(config, service, server.port);
}

/** A sentence for the person at the terminal; anything unexpected keeps its place in the code. */
function explain(error: unknown): string {
  if ([ConfigError, DataDirError, ListenError].some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, stack } = error as NodeJS.ErrnoException;
  // Its text can quote values.
  if (isDatabaseError(error)) return `The database cannot be used (${code ?? 'time-out'}).`;
  return stack ?? String(error);
}

// Whatever is written, the database included, is for this user only.
process.umask(0o077);

try {
  const config = loadSettings();
  const log = createLog(config.LOG_LEVEL);
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: describeError(error) }, 'unhandled rejection');
    process.exit(1);
  });
  await run(config, log);
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}
