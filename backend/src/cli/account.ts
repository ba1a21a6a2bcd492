import { Option, type Command } from 'commander';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { ROLES, type Role } from '../modules/access/rights.js';
import type { AccountStatus } from '../modules/applications/application.js';
import type { SentInvitation } from '../modules/people/people-service.js';
import { LINK_MINUTES } from '../modules/people/sign-in-links.js';
import { signInLink } from '../platform/config/config.js';
import { addAccountCeilings } from './account-ceilings.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { accountEmail } from './parse.js';
import { operatorCommand } from '../platform/config/operator-command.js';

const STATUSES: readonly AccountStatus[] = ['active', 'inactive', 'blocked'];

export function complete(account: Command, context: Context): void {
  addCreate(account, context);
  addInvite(account, context);
  addSignInLink(account, context);
  addUpdate(account, context);
  addAccountCeilings(account, context);
}

function addCreate(account: Command, context: Context): void {
  const description = 'create an account (if it does not exist) and print a link for its owner';
  const create = addCommand(account, 'create', description, ['--email owner@shop.example']);
  create.requiredOption('--email <EMAIL>', 'email address of the account', accountEmail);
  addAction(create, context, async ({ email }: { email: string }) => {
    const core = await context.core();
    const invitation = await firstLink(core, await core.applications.service.createAccount(OPERATOR, email), email);
    const text = `Account ${email} is ready. To add an application, run: ${operatorCommand()} app create --name NAME --email ${email}`;
    if (!invitation) return { data: { email }, text };
    const { link } = invitation;
    const linkText = `Open this link within 7 days and enter the emailed code to become the owner:\n${link}${mailedText(invitation)}`;
    return { data: { email, link }, text: `${text}\n${linkText}` };
  });
}

const mailedText = ({ mailed }: SentInvitation): string => (mailed ? '\nThe running server also emails the link.' : '');

/**
 * Returns the link that makes the first person the account owner. Returns undefined once someone has joined the
 * account.
 */
async function firstLink({ people }: Core, accountId: number, email: string): Promise<SentInvitation | undefined> {
  if ((await people.service.ofAccount(accountId)).length > 0) return undefined;
  return people.service.inviteByEmail(OPERATOR, { accountId, email, role: 'owner' });
}

function addInvite(account: Command, context: Context): void {
  const example = '--account owner@shop.example --email ana@shop.example --role member';
  const description = 'print a link that lets one person join the dashboard of an account';
  const invite = addCommand(account, 'invite', description, [example])
    .requiredOption('--account <EMAIL>', 'email address of the account', accountEmail)
    .requiredOption('--email <EMAIL>', 'email address of the person; the sign-in code is sent to it', accountEmail)
    .addOption(new Option('--role <ROLE>', 'role of the person').choices(ROLES).default('owner'));
  addAction(invite, context, async (options: { account: string; email: string; role: Role }) => {
    const { account: owner, email, role } = options;
    const { applications, people } = await context.core();
    const accountId = await applications.service.accountId(owner);
    if (accountId === undefined) throw new OperatorError(`there is no account ${owner}`);
    const invitation = await people.service.inviteByEmail(OPERATOR, { accountId, email, role });
    const { link } = invitation;
    const text = `This link is for ${email} only, and expires in 7 days:\n${link}${mailedText(invitation)}`;
    return { data: { email, role, link }, text };
  });
}

function addSignInLink(account: Command, context: Context): void {
  const description =
    'print a link that signs a person in to the dashboard once, for example if there is no email provider';
  const examples = ['ana@shop.example', 'ana@shop.example --account owner@shop.example'];
  const command = addCommand(account, 'sign-in-link', description, examples)
    .argument('<EMAIL>', 'email address of the person; check their identity before you send the link', accountEmail)
    .option(
      '--account <EMAIL>',
      'email address of the account, if the person belongs to several accounts',
      accountEmail,
    );
  addAction(command, context, async (email: string, options: { account?: string }) => {
    const { people, url } = await context.core();
    const created = await people.signInLinks.create(OPERATOR, email, options.account);
    if (created.token === undefined) throw signInLinkError(email, created.accounts, options.account);
    const { account: name } = created;
    const link = signInLink(url, created.token);
    const text = `This link signs ${email} in to the account ${name} once, within ${LINK_MINUTES} minutes:\n${link}`;
    return { data: { email, account: name, link, expiresInSeconds: LINK_MINUTES * 60 }, text };
  });
}

function signInLinkError(email: string, accounts: readonly string[], account: string | undefined): OperatorError {
  if (accounts.length === 0)
    return new OperatorError(`${email} has not joined any account; invite them with "account invite" first`);
  const list = accounts.join(', ');
  if (account === undefined)
    return new OperatorError(`${email} can join or sign in to several accounts; select one with --account: ${list}`);
  return new OperatorError(
    `${email} has neither joined nor been invited to ${account}; accounts that ${email} can join or sign in to: ${list}`,
  );
}

function addUpdate(account: Command, context: Context): void {
  const examples = ['--app APP_KEY --status blocked', '--app APP_KEY --status active'];
  const description =
    "activate, deactivate or block an application's account; this affects all applications of the account";
  const update = addCommand(account, 'update', description, examples)
    .requiredOption('--app <APP_KEY>', 'App Key of one of the applications of the account')
    .addOption(
      new Option('--status <STATUS>', 'status of the account; its applications can send only if it is active')
        .choices(STATUSES)
        .makeOptionMandatory(),
    );
  addAction(update, context, async ({ app, status }: { app: string; status: AccountStatus }) => {
    const { applications } = await context.core();
    await applications.service.setAccountStatus(OPERATOR, app, status);
    const { accountEmail: email } = await applications.service.load(app);
    const affected = (await applications.service.list()).filter((application) => application.accountEmail === email);
    const text = `The account ${email} is ${status}. Its applications: ${affected.map(({ name }) => name).join(', ')}`;
    return { data: { email, status, applications: affected.map(({ appKey }) => appKey) }, text };
  });
}
