import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import type { Core } from '../core.js';
import { printable } from '../platform/control-characters.js';
import { withExamples, withSubcommandExamples, type Context } from './context.js';

const { version } = createRequire(import.meta.url)('@passbell/backend/package.json') as { version: string };

/** Adds arguments, options, subcommands and the action to a command. Each command's file exports one. */
type Complete = (command: Command, context: Context) => void;

/**
 * The commands in the order of the help, with their descriptions. Only the commands that the arguments name are
 * loaded, because all of them together load large libraries.
 */
const COMMANDS: Readonly<
  Record<string, readonly [description: string, load: () => Promise<{ readonly complete: Complete }>]>
> = {
  app: ['manage applications and their API credentials', () => import('./app.js')],
  template: ['list message templates, and manage the custom texts of applications', () => import('./template.js')],
  webhook: ["manage webhooks that receive an application's events", () => import('./webhook.js')],
  listen: ["forward an application's events to a server on this machine", () => import('./listen.js')],
  provider: ['manage accounts at services that send messages', () => import('./provider.js')],
  route: ['manage the order of the providers for each channel and country', () => import('./route.js')],
  price: ['manage the prices of messages, by channel and country', () => import('./price.js')],
  fraud: ['show and change pauses, exceptions and settings of the fraud guard', () => import('./fraud.js')],
  apply: ['configure an account from a YAML file, through the management API', () => import('./apply.js')],
  'api-key': ['manage keys of the management API', () => import('./api-key.js')],
  account: ['manage accounts, which own applications', () => import('./account.js')],
  messages: ['list messages, and send failed messages again', () => import('./messages.js')],
  recipient: ['erase all data about a phone number or email address', () => import('./recipient.js')],
  suppression: ['manage the email addresses that an account does not send to', () => import('./suppression.js')],
  usage: ['show sent messages and their costs, by day, channel and country', () => import('./usage.js')],
  'two-factor': ['turn off two-factor authentication for a user', () => import('./two-factor.js')],
  mcp: ['start an MCP server for AI assistants, on standard input and output', () => import('./mcp.js')],
  keys: ['manage the signing keys for session tokens, and re-encrypt stored secrets', () => import('./keys.js')],
  backup: [
    'copy the database and the key file secret.key, if there is one, to a new folder; the server can keep running',
    async () => ({ complete: (await import('./backup.js')).addBackup }),
  ],
  restore: [
    'copy a backup to DATA_DIR, which must not contain a database yet, or test a backup with --rehearse',
    async () => ({ complete: (await import('./backup.js')).addRestore }),
  ],
  move: ['move all data from SQLite to MySQL or back while the server runs', () => import('./move.js')],
  doctor: [
    'check settings, database, Redis, clock, SECRET_KEY, providers, sender domains, disk, BASE_URL and proxy; sends no messages',
    () => import('./doctor.js'),
  ],
  init: [
    'create the database and its key if they do not exist yet, and migrate the database; servers also do this when they start',
    () => import('./init.js'),
  ],
  migrate: [
    'migrate an existing database; servers also do this when they start',
    async () => ({ complete: addMigrate }),
  ],
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
    if (!args.includes(name)) continue;
    (await load()).complete(command, context);
    if (command.commands.length > 0) withSubcommandExamples(command);
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
