/** The `--account` option of commands that manage an account's providers, routes and prices. */
import type { Command } from 'commander';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { addAction, OperatorError, type Context, type Result } from './context.js';

/** Adds the option that selects an account other than the operator's. */
export const withAccount = (command: Command): Command =>
  command.option('--account <EMAIL>', 'email address of the account', OPERATOR_ACCOUNT);

/**
 * Adds the option that selects an account, and an action that gets the core and the account's id before the arguments
 * and options of the command.
 */
export function addAccountAction<Args extends unknown[]>(
  command: Command,
  context: Context,
  action: (core: Core, accountId: number, ...args: Args) => Promise<Result>,
): void {
  addAction(withAccount(command), context, async (...args: Args) => {
    const core = await context.core();
    return action(core, await accountIdOf(core, command.opts().account as string), ...args);
  });
}

/** Returns the id of an account. Creates the operator's account on first use. */
export async function accountIdOf({ applications }: Core, email: string): Promise<number> {
  const id = await applications.service.accountId(email);
  if (id !== undefined) return id;
  if (email !== OPERATOR_ACCOUNT) throw new OperatorError(`there is no account ${email}`);
  return applications.service.createAccount(OPERATOR, email);
}
