import type { Command } from 'commander';
import { operatorCommand } from '../platform/config/operator-command.js';
import { describeDatabase } from '../platform/db/database.js';
import { addAction, withExamples, type Context } from './context.js';

/** Adds the command `init`, the only command that creates a database. It can be repeated. */
export function complete(init: Command, context: Context): void {
  withExamples(init, ['', '--json']);
  addAction(init, context, async () => {
    const { config } = await context.core({ create: true });
    const database = describeDatabase({ url: config.DATABASE_URL, dataDir: config.DATA_DIR });
    const text = `The database ${database} is ready.\nStart the server, or create an application: ${operatorCommand()} app create --name NAME`;
    return { data: { database }, text };
  });
}
