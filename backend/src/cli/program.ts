import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import type { Core } from '../core.js';
import { ConfigError } from '../platform/config/config.js';
import { printable } from '../platform/control-characters.js';
import { isDatabaseError } from '../platform/db/database-errors.js';
import { ApiError } from '../platform/contract/errors.js';
import { OverrideError } from '../modules/templates/rendering/override.js';
import { CeilingError } from '../modules/applications/account-ceilings.js';
import { ApplicationNotFoundError } from '../modules/applications/application.js';
import { FraudSettingError } from '../modules/fraud/fraud-settings.js';
import { ProviderSettingsError } from '../modules/providers/provider-account.js';
import { DataDirError } from '../platform/data-dir.js';
import { addAccountCommands } from './account.js';
import { addAppCommands } from './app.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { addBackupCommands } from './backup.js';
import { addDoctor } from './doctor.js';
import { addFraudCommands } from './fraud.js';
import { addKeysCommands } from './keys.js';
import { addTemplateCommands } from './template.js';
import { addMessagesCommands } from './messages.js';
import { addPriceCommands } from './price.js';
import { addProviderCommands } from './provider.js';
import { addRouteCommands } from './route.js';
import { addRecipientCommands } from './recipient.js';
import { addTwoFactorCommands } from './two-factor.js';
import { addUpgradeNotice } from './upgrade-notice.js';
import { addWebhookCommands } from './webhook.js';
import { addUsageCommand } from './usage.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

function createProgram(context: Context): Command {
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
  addAppCommands(program, context);
  addTemplateCommands(program, context);
  addWebhookCommands(program, context);
  addProviderCommands(program, context);
  addRouteCommands(program, context);
  addPriceCommands(program, context);
  addFraudCommands(program, context);
  addAccountCommands(program, context);
  addMessagesCommands(program, context);
  addRecipientCommands(program, context);
  addUsageCommand(program, context);
  addTwoFactorCommands(program, context);
  addKeysCommands(program, context);
  addBackupCommands(program, context);
  addDoctor(program, context);
  addUpgradeNotice(program, context);
  addMigrate(program, context);
  return program;
}

/** Adds a command that migrates the database before any server starts. Servers also migrate the database at startup. */
function addMigrate(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('migrate the database; servers also do this when they start')
    .action(async () => {
      await context.core();
      context.out('The database is up to date.\n');
    });
}

/**
 * Returns an expected error's message, or an unexpected error's stack trace. Does not return database error messages,
 * because they can contain stored values.
 */
function explain(error: unknown): string {
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  if (isDatabaseError(error)) {
    const busy = String(code).startsWith('SQLITE_BUSY');
    return busy
      ? 'the database is busy; run the command again'
      : `the database cannot be used (${code ?? 'time-out'}); check DATABASE_URL or DATA_DIR`;
  }
  const expected = [
    OperatorError,
    ApplicationNotFoundError,
    CeilingError,
    FraudSettingError,
    OverrideError,
    ProviderSettingsError,
    ConfigError,
    DataDirError,
    ApiError,
  ].some((kind) => error instanceof kind);
  return expected || syscall !== undefined ? message : (stack ?? String(error));
}

/**
 * Runs a command and returns its exit code. If the command needs the core, opens the core with `open`, and stops it at
 * the end.
 */
export async function runProgram(
  args: readonly string[],
  { open, config, now, out, err }: Omit<Context, 'core'> & { readonly open: () => Promise<Core> },
): Promise<number> {
  const io = {
    config,
    now,
    // Control characters in stored names and texts could control the operator's terminal.
    out: (text: string) => out(printable(text)),
    err: (text: string) => err(printable(text)),
  };
  let opened: Core | undefined;
  const core = async () => (opened ??= await open());
  try {
    await createProgram({ ...io, core }).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode;
    io.err(`error: ${explain(error)}\n`);
    return 1;
  } finally {
    await opened?.stop();
  }
}
