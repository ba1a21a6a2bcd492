/** `passbell account`: accounts, which own applications. */
import { Option, type Command } from 'commander';
import type { Service } from '../compose.js';
import { invitationLink } from '../platform/config/config.js';
import type { AccountStatus } from '../modules/applications/application.js';
import { ROLES, type Role } from '../modules/people/person.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, type OutputOptions } from './output.js';
import { accountEmail } from './parse.js';

const STATUSES: readonly AccountStatus[] = ['active', 'inactive', 'blocked'];

interface CreateOptions extends OutputOptions {
  readonly email: string;
}

interface InviteOptions extends OutputOptions {
  readonly account: string;
  readonly email: string;
  readonly role: Role;
}

interface UpdateOptions extends OutputOptions {
  readonly app: string;
  readonly status: AccountStatus;
}

export function addAccountCommands(program: Command, context: Context): void {
  const account = program.command('account').description('accounts, which own applications');
  withExamples(account, [
    'create --email owner@shop.example',
    'invite --account owner@shop.example --email ana@shop.example',
    'update --app APP_KEY --status blocked',
  ]);
  addCreate(account, context);
  addInvite(account, context);
  addUpdate(account, context);
}

function addCreate(account: Command, context: Context): void {
  const create = account
    .command('create')
    .description('make an account, and a link for its first person; one that is there already stays as it is')
    .requiredOption('--email <EMAIL>', 'mail address of the account', accountEmail)
    .option(...JSON_OPTION)
    .action(async ({ email, ...output }: CreateOptions) => {
      const service = await context.service();
      const made = await service.applications.createAccount(email);
      const link = await firstLink(service, email);
      const lines = [
        `There is an account ${email}; app create --email ${email} adds applications to it.`,
        ...(link === undefined ? [] : [`Who opens this link within a week, and gets the mail, owns it:\n${link}`]),
      ];
      answer(context, output, { ...made, ...(link === undefined ? {} : { link }) }, lines.join('\n'));
    });
  withExamples(create, ['--email owner@shop.example']);
}

/** A link to own an account that nobody has joined yet; undefined where somebody has. */
async function firstLink({ applications, people, url }: Service, email: string): Promise<string | undefined> {
  const accountId = await applications.accountId(email);
  if ((await people.ofAccount(accountId)).length > 0) return undefined;
  return invitationLink(url, await people.invite({ accountId, email, role: 'owner' }));
}

function addInvite(account: Command, context: Context): void {
  const invite = account
    .command('invite')
    .description('print a link with which one person joins the dashboard of an account')
    .requiredOption('--account <EMAIL>', 'mail address of the account', accountEmail)
    .requiredOption('--email <EMAIL>', 'mail address of the person, who gets a code there', accountEmail)
    .addOption(new Option('--role <ROLE>', 'what the person may do').choices(ROLES).default('owner'))
    .option(...JSON_OPTION)
    .action(async ({ account: owner, email, role, ...output }: InviteOptions) => {
      const { applications, people, url } = await context.service();
      if (!(await applications.hasAccount(owner))) throw new OperatorError(`there is no account ${owner}`);
      const accountId = await applications.accountId(owner);
      const link = invitationLink(url, await people.invite({ accountId, email, role }));
      answer(context, output, { email, role, link }, `For ${email} alone, within a week:\n${link}`);
    });
  withExamples(invite, ['--account owner@shop.example --email ana@shop.example --role member']);
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
