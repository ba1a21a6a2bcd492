/** `passbell account`: accounts, which own applications. */
import { Option, type Command } from 'commander';
import type { AccountStatus } from '../modules/applications/application.js';
import { withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, type OutputOptions } from './output.js';
import { accountEmail } from './parse.js';

const STATUSES: readonly AccountStatus[] = ['active', 'inactive', 'blocked'];

interface CreateOptions extends OutputOptions {
  readonly email: string;
}

interface UpdateOptions extends OutputOptions {
  readonly app: string;
  readonly status: AccountStatus;
}

export function addAccountCommands(program: Command, context: Context): void {
  const account = program.command('account').description('accounts, which own applications');
  withExamples(account, ['create --email owner@shop.example', 'update --app APP_KEY --status blocked']);
  addCreate(account, context);
  addUpdate(account, context);
}

function addCreate(account: Command, context: Context): void {
  const create = account
    .command('create')
    .description('make an account; one that is there already stays as it is')
    .requiredOption('--email <EMAIL>', 'mail address of the account', accountEmail)
    .option(...JSON_OPTION)
    .action(async ({ email, ...output }: CreateOptions) => {
      const made = await (await context.service()).applications.createAccount(email);
      answer(
        context,
        output,
        made,
        `There is an account ${email}; app create --email ${email} adds applications to it.`,
      );
    });
  withExamples(create, ['--email owner@shop.example']);
}

function addUpdate(account: Command, context: Context): void {
  const update = account
    .command('update')
    .description('change the account that an application belongs to, for all of its applications')
    .requiredOption('--app <APP_KEY>', 'key of one of its applications')
    .addOption(new Option('--status <STATUS>', 'only active accounts may send').choices(STATUSES).makeOptionMandatory())
    .option(...JSON_OPTION)
    .action(async ({ app, status, ...output }: UpdateOptions) => {
      const { applications } = await context.service();
      await applications.setAccountStatus(app, status);
      const all = await applications.list();
      const email = all.find(({ appKey }) => appKey === app)!.accountEmail;
      const affected = all.filter(({ accountEmail: owner }) => owner === email);
      const text = `The account ${email} is ${status}. Its applications: ${affected.map(({ name }) => name).join(', ')}`;
      answer(context, output, { email, status, applications: affected.map(({ appKey }) => appKey) }, text);
    });
  withExamples(update, ['--app APP_KEY --status blocked', '--app APP_KEY --status active']);
}
