/** The `--account` option of commands that manage an account's providers, routes and prices. */
import type { Command } from 'commander';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { OperatorError } from './context.js';

export interface AccountOption {
  readonly account: string;
}

/** Adds the option that selects an account other than the operator's. */
export const withAccount = (command: Command): Command =>
  command.option('--account <EMAIL>', 'account to use', OPERATOR_ACCOUNT);

/** Returns the id of an account. Creates the operator's account on first use. */
export async function accountIdOf({ applications }: Core, email: string): Promise<number> {
  const id = await applications.service.accountId(email);
  if (id !== undefined) return id;
  if (email !== OPERATOR_ACCOUNT) throw new OperatorError(`there is no account ${email}`);
  return applications.service.createAccount(OPERATOR, email);
}
