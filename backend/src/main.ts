/** The server process: reads the settings, starts, prints what to do next, and stops on a signal. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createCore, type Core } from './core.js';
import { OPERATOR } from './modules/access/actor.js';
import { DEMO_NAME } from './modules/applications/application.js';
import { canOpenSecrets } from './modules/applications/application-secrets.js';
import { ConfigError, invitationLink, publicCallbackBase, publicUrl, readConfig } from './platform/config/config.js';
import { devInboxAccess, productionSettings } from './platform/config/exposure.js';
import { operatorCommand } from './platform/config/operator-command.js';
import { DataDirError } from './platform/data-dir.js';
import { isDatabaseError } from './platform/db/database-errors.js';
import { explainDatabaseError } from './platform/db/explain-database-error.js';
import { listen, ListenError } from './platform/http/listen.js';
import { createLog, describeError } from './platform/log.js';
import { announceServer } from './platform/running-servers.js';
import { createServer } from './server.js';

/**
 * Returns the lines of the startup message that contain example commands. On the first start, creates an application,
 * and adds a command that sends a code with the application's credentials.
 */
async function demoLines({ config, applications }: Core, baseUrl: string): Promise<string[]> {
  // In a scaled installation, several processes start at the same time, and each process would create an application.
  if (config.REDIS_URL !== undefined || (await applications.service.list()).length > 0)
    return [`Applications: ${operatorCommand()} app list (or app create)`, ''];
  const { appKey, appSecret } = await applications.service.create(OPERATOR, { name: DEMO_NAME });
  return [
    'This is the first start. A demo application was created:',
    '',
    `  App Key     ${appKey}`,
    `  App Secret  ${appSecret}   (shown only once)`,
    '',
    'Send a code:',
    '',
    `  curl -s '${baseUrl}/api/v1/auth/sendotp' -H 'clientId: ${appKey}' -H 'clientSecret: ${appSecret}' -H 'Content-Type: application/json' -d '{"to": "+14155550123", "clientIp": "198.51.100.7"}'`,
    '',
  ];
}

/**
 * Returns the lines of the startup message about the dashboard. Until the first person has joined, they contain an
 * invitation for the first owner.
 */
async function dashboardLines({ config, people }: Core, baseUrl: string): Promise<string[]> {
  if (config.ROLE === 'worker') return [];
  if (!people.signIn.emailProvider())
    return [
      `Dashboard:  ${baseUrl}/dashboard`,
      `            (without an email provider, print a sign-in link with: ${operatorCommand()} account sign-in-link EMAIL)`,
    ];
  // In a scaled installation, the operator creates the invitation with `passbell account create`.
  const invitation = config.REDIS_URL === undefined ? await people.service.inviteFirst() : undefined;
  if (invitation === undefined) return [`Dashboard:  ${baseUrl}/dashboard`];
  return [
    `Dashboard:  ${invitationLink(baseUrl, invitation)}`,
    '            (one-time link: open it and enter the code to become the owner; later, sign in at /dashboard)',
  ];
}

/**
 * Returns the lines of the startup message that contain the URLs of the pages for developers, or the reason why these
 * pages are disabled.
 */
function developerLines({ config, devInbox }: Core, baseUrl: string): string[] {
  switch (devInboxAccess(config)) {
    case 'local':
      return [
        `Dev inbox:  ${baseUrl}/dev/inbox?key=${devInbox?.key}`,
        '            (without the key, the inbox hides codes for the dashboard; the key changes on each start)',
        `Two-factor: ${baseUrl}/demo/two-factor`,
      ];
    case 'secret':
      return [
        `Dev inbox:  ${baseUrl}/dev/inbox?key=${devInbox?.key}`,
        '            (shows all messages to everyone who has this address; the address changes on each start)',
      ];
    case 'off':
      return config.DEV_INBOX === 'off' ? [] : [`Dev inbox:  off, because of ${productionSettings(config).join(', ')}`];
  }
}

async function printGreeting(core: Core, port: number): Promise<void> {
  const { config, providers } = core;
  const baseUrl = publicUrl(config, port);
  const channels = [...providers.routing.operatorProviders.values()]
    .map(({ channel, name }) => `${channel} → ${name}`)
    .join(', ');
  const lines = [
    '',
    `Passbell is ready at ${baseUrl}/api/v1`,
    '',
    ...(await demoLines(core, baseUrl)),
    ...(await dashboardLines(core, baseUrl)),
    `Channels:   ${channels || 'none, so nothing can be sent; add a provider in the dashboard, or set SMTP_URL or TWILIO_…'}`,
    ...developerLines(core, baseUrl),
    `Docs:       ${baseUrl}/docs`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function run(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: describeError(error) }, 'unhandled rejection');
    process.exit(1);
  });

  let stopping = false;
  const core = await createCore(config, { log });
  const app = await createServer(core, () => stopping);
  const { HOST: host, PORT: port } = config;
  const server = await listen(app, { host, port, prepare: core.start }).catch(async (error: unknown) => {
    await core.stop();
    throw error;
  });
  const endAnnouncement = announceServer(config);

  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    // Closes idle connections immediately after Ctrl+C.
    await (signal === 'SIGINT' ? server.close() : server.drain());
    await core.stop();
    endAnnouncement();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

  if (config.VOICE_KEY_PRESS && config.TWILIO_VOICE_FROM !== undefined && publicCallbackBase(config) === undefined)
    log.warn(
      'voice calls read codes immediately, even to voicemail; set a public BASE_URL to require a key press first',
    );
  await printGreeting(core, server.port);
  if (!canOpenSecrets(await core.applications.service.list(), core.keyring))
    log.error('SECRET_KEY does not decrypt all stored secrets; append the key that encrypted them: SECRET_KEY=new,old');
}

/** Returns one sentence for an expected error, or an unexpected error's stack trace. */
function explain(error: unknown): string {
  if ([ConfigError, DataDirError, ListenError].some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, path, stack } = error as NodeJS.ErrnoException;
  const folder = resolve(process.env.DATA_DIR ?? 'data');
  if (path !== undefined && !relative(folder, path).startsWith('..'))
    return `DATA_DIR ${folder} cannot be used (${code}). Set it to a folder that this user can write to.`;
  // A database error's message can contain stored values.
  if (isDatabaseError(error))
    return `The database cannot be used (${code ?? 'time-out'}). ${explainDatabaseError(error) ?? 'Check DATABASE_URL or DATA_DIR, and make sure that the database is running.'}`;
  return stack ?? String(error);
}

// Only the current user can read the files that the server creates, including the database.
process.umask(0o077);

try {
  await run();
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}
