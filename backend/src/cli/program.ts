/** The operator command from its arguments to its exit code. */
import { Command, CommanderError } from 'commander';
import type { Service } from '../compose.js';
import { ConfigError } from '../platform/config/config.js';
import { isDatabaseError } from '../platform/db/database-errors.js';
import { ApiError } from '../platform/contract/errors.js';
import { NotFoundError } from '../modules/applications/applications-service.js';
import { DataDirError } from '../platform/data-dir.js';
import { addAccountCommands } from './account.js';
import { addAppCommands } from './app.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { addKeysCommands } from './keys.js';
import { addTemplateCommands } from './template.js';
import { addMessagesCommands } from './messages.js';
import { addTwoFactorCommands } from './two-factor.js';
import { addWebhookCommands } from './webhook.js';
import { addUsageCommand } from './usage.js';

function createProgram(context: Context): Command {
  const program = new Command('passbell')
    .description(
      'Commands for the operator of Passbell, on the database of the settings. Running servers follow within 2 seconds.',
    )
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
  addAccountCommands(program, context);
  addMessagesCommands(program, context);
  addUsageCommand(program, context);
  addTwoFactorCommands(program, context);
  addKeysCommands(program, context);
  addMigrate(program, context);
  return program;
}

/** Every start migrates; this is for who wants it done before the first process starts. */
function addMigrate(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('bring the tables up to date; every start does so as well')
    .action(async () => {
      await context.service();
      context.out('The tables are up to date.\n');
    });
}

/** A sentence for what an operator can meet; a database error is only named, since its text quotes values. */
function explain(error: unknown): string {
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  if (isDatabaseError(error)) {
    const busy = String(code).startsWith('SQLITE_BUSY');
    return busy ? 'the database is busy; run the command again' : `the database cannot be used (${code ?? 'time-out'})`;
  }
  const expected = [OperatorError, NotFoundError, ConfigError, DataDirError, ApiError].some(
    (kind) => error instanceof kind,
  );
  return expected || syscall !== undefined ? message : (stack ?? String(error));
}

/** Runs the command that `args` name; `open` is called when it needs the service, which is stopped at the end. */
export async function runProgram(
  args: readonly string[],
  { open, ...io }: Omit<Context, 'service'> & { readonly open: () => Promise<Service> },
): Promise<number> {
  let opened: Service | undefined;
  const service = async () => (opened ??= await open());
  try {
    await createProgram({ ...io, service }).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already said what it is about.
    if (error instanceof CommanderError) return error.exitCode;
    io.err(`error: ${explain(error)}\n`);
    return 1;
  } finally {
    await opened?.stop();
  }
}
