/** The option for the account whose providers, routes and prices a command concerns. */
import type { Command } from 'commander';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { OperatorError } from './context.js';

export interface AccountOption {
  readonly account: string;
}

/** Adds the option for an account other than the operator's. */
export const withAccount = (command: Command): Command =>
  command.option('--account <EMAIL>', "account that owns the provider; the operator's by default", OPERATOR_ACCOUNT);

/** Returns the id of an account. Creates the operator's account on first use. */
export async function accountIdOf({ applications }: Core, email: string): Promise<number> {
  const id = await applications.accountId(email);
  if (id !== undefined) return id;
  if (email !== OPERATOR_ACCOUNT) throw new OperatorError(`there is no account ${email}`);
  return applications.createAccount(OPERATOR, email);
}
