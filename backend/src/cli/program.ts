import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import type { Core } from '../core.js';
import { printable } from '../platform/control-characters.js';
import { withExamples, type Context } from './context.js';

const { version } = createRequire(import.meta.url)('@passbell/backend/package.json') as { version: string };

/** Adds arguments, options, subcommands and the action to a command. */
type Complete = (command: Command, context: Context) => void;

/**
 * The commands in the order of the help, with their descriptions. Only the commands that the arguments name are
 * loaded, because all of them together load large libraries.
 */
const COMMANDS: Readonly<Record<string, readonly [description: string, load: () => Promise<Complete>]>> = {
  app: ['applications and their API credentials', async () => (await import('./app.js')).addAppCommands],
  template: [
    'message templates, and the custom texts of applications',
    async () => (await import('./template.js')).addTemplateCommands,
  ],
  webhook: [
    "webhooks that receive an application's events",
    async () => (await import('./webhook.js')).addWebhookCommands,
  ],
  provider: [
    'accounts at services that send messages',
    async () => (await import('./provider.js')).addProviderCommands,
  ],
  route: [
    'the providers of each channel and country, in order',
    async () => (await import('./route.js')).addRouteCommands,
  ],
  price: ['prices of messages, by channel and country', async () => (await import('./price.js')).addPriceCommands],
  fraud: [
    'show and change pauses, exceptions and settings of the fraud guard',
    async () => (await import('./fraud.js')).addFraudCommands,
  ],
  account: ['accounts, which own applications', async () => (await import('./account.js')).addAccountCommands],
  messages: [
    'list messages, and send failed messages again',
    async () => (await import('./messages.js')).addMessagesCommands,
  ],
  recipient: [
    'phone numbers and email addresses that applications send to',
    async () => (await import('./recipient.js')).addRecipientCommands,
  ],
  usage: [
    'sent messages and their costs, by day (UTC), channel and country',
    async () => (await import('./usage.js')).addUsage,
  ],
  'two-factor': [
    'two-factor authentication of users',
    async () => (await import('./two-factor.js')).addTwoFactorCommands,
  ],
  keys: [
    'signing keys for session tokens, and encryption with SECRET_KEY',
    async () => (await import('./keys.js')).addKeysCommands,
  ],
  backup: [
    'copy the SQLite database and the key to a new folder; the server can keep running',
    async () => (await import('./backup.js')).addBackup,
  ],
  restore: [
    'copy a backup to DATA_DIR, which must not contain a database yet',
    async () => (await import('./backup.js')).addRestore,
  ],
  doctor: [
    'check settings, database, Redis, clock, providers, disk, BASE_URL and proxy; sends nothing',
    async () => (await import('./doctor.js')).addDoctor,
  ],
  init: [
    'create the database and its key if they do not exist yet, and migrate the database; servers also do this when they start',
    async () => (await import('./init.js')).addInit,
  ],
  migrate: ['migrate an existing database; servers also do this when they start', async () => addMigrate],
};

async function createProgram(args: readonly string[], context: Context): Promise<Command> {
  const program = new Command('passbell')
    .description(
      'Manage Passbell. Uses the same settings and database as the server. Running servers apply changes within 2 seconds.',
    )
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => context.out(text), writeErr: (text) => context.err(text) });
  withExamples(program, [
    'app create --name "My shop"',
    'app list',
    'messages list --state failed',
    'app update --help',
  ]);
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description);
    if (args.includes(name)) (await load())(command, context);
  }
  return program;
}

/** Completes the command that migrates an existing database before any server of a new version starts. */
function addMigrate(migrate: Command, context: Context): void {
  migrate.action(async () => {
    await context.core();
    context.out('The database is up to date.\n');
  });
}

/**
 * Runs a command and returns its exit code. If the command needs the core, opens the core with `open`, and stops it at
 * the end.
 */
export async function runProgram(
  args: readonly string[],
  {
    open,
    config,
    now,
    out,
    err,
  }: Omit<Context, 'core'> & { readonly open: (options: { readonly create: boolean }) => Promise<Core> },
): Promise<number> {
  const io = {
    config,
    now,
    // Control characters in stored names and texts could control the operator's terminal.
    out: (text: string) => out(printable(text)),
    err: (text: string) => err(printable(text)),
  };
  let opened: Core | undefined;
  const core = async (options = { create: false }) => (opened ??= await open(options));
  try {
    const program = await createProgram(args, { ...io, core });
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode;
    const { explainError } = await import('./explain-error.js');
    io.err(`error: ${explainError(error)}\n`);
    return 1;
  } finally {
    await opened?.stop();
  }
}
