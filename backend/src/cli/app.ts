import { Argument, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import type { IdentityServerKind } from '../modules/code-requests/identity-servers.js';
import { IDENTITY_SERVER_KINDS, IDENTITY_SERVERS } from '../modules/code-requests/identity-servers.js';
import { addAppDeletion } from './app-deletion.js';
import { addAppUpdate } from './app-update.js';
import { applicationView } from '../modules/applications/application-view.js';
import { APPLICATION_COLUMN_TITLES, applicationBlock, applicationRow } from './application-block.js';
import { addOperation, perform } from './operation.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { formatBlock, formatTable } from './output.js';
import { accountEmail } from './parse.js';

export function complete(app: Command, context: Context): void {
  addCreate(app, context);
  addList(app, context);
  addOperation(app, context, 'getApplication', {
    name: 'show',
    description: 'show an application with all its settings',
    examples: ['APP_KEY', 'APP_KEY --json'],
    text: (application) =>
      `${applicationBlock(application)}\n${formatBlock([
        ['Created', application.createdAt],
        ['Last used', application.lastUsedAt ?? 'never'],
      ])}`,
  });
  addAppUpdate(app, context);
  addOperation(app, context, 'rotateAppSecret', {
    name: 'rotate-secret',
    description: 'create a new App Secret; the old one stays valid for 24 hours by default',
    examples: ['APP_KEY', 'APP_KEY --grace-hours 0'],
    text: ({ appKey, appSecret, oldSecretValidUntil }, { graceHours }) =>
      formatBlock([
        ['App Key', appKey],
        ['App Secret', `${appSecret}   (shown only once)`],
        ['Old secret', graceHours === 0 ? 'no longer valid' : `valid until ${oldSecretValidUntil}`],
      ]),
  });
  addSmsHook(app, context);
  addAppDeletion(app, context);
}

function addCreate(app: Command, context: Context): void {
  const examples = ['--name "My shop"', '--name "My shop" --email owner@shop.example --json'];
  const create = addCommand(app, 'create', 'create an application and print its API credentials', examples)
    .requiredOption('--name <NAME>', 'name that recipients see in messages')
    .option(
      '--email <EMAIL>',
      'email address of the account that owns the application',
      accountEmail,
      OPERATOR_ACCOUNT,
    );
  addAction(create, context, async ({ name, email }: { name: string; email: string }) => {
    const { applications } = await context.core();
    await applications.service.createAccount(OPERATOR, email);
    const data = await perform(context, 'createApplication', { name }, email);
    const text = formatBlock([
      ['Name', data.name],
      ['App Key', data.appKey],
      ['App Secret', `${data.appSecret}   (shown only once)`],
      ['Account', `${data.accountEmail} (${data.accountStatus})`],
    ]);
    return { data, text };
  });
}

function addList(app: Command, context: Context): void {
  addAction(addCommand(app, 'list', 'list all applications', ['', '--json']), context, async () => {
    const all = await (await context.core()).applications.service.list();
    const data = all.map((application) => applicationView(application, true));
    return { data, text: formatTable(APPLICATION_COLUMN_TITLES, data.map(applicationRow), 'No applications yet.') };
  });
}

function addSmsHook(app: Command, context: Context): void {
  const description = 'print the URL and the secret that an identity server needs to send its codes through Passbell';
  const command = addCommand(app, 'sms-hook', description, ['APP_KEY supabase', 'APP_KEY logto'])
    .argument('<APP_KEY>', 'App Key of the application')
    .addArgument(new Argument('<KIND>', 'identity server').choices(IDENTITY_SERVER_KINDS));
  addAction(command, context, async (appKey: string, kind: IdentityServerKind) => {
    const { applications, url } = await context.core();
    const [key] = applications.service.codeRequestKeys(await applications.service.load(appKey), kind);
    if (!key)
      throw new OperatorError('the App Secret is too old for code requests; create a new one with "app rotate-secret"');
    const { expiry, secretOf } = IDENTITY_SERVERS[kind];
    const settings = { url: `${url}/hooks/sms/${kind}?appKey=${appKey}&expiry=${expiry}`, secret: secretOf(key) };
    const text = formatBlock([
      ['URL', settings.url],
      [kind === 'logto' ? 'Authorization Header' : 'Secret', settings.secret],
    ]);
    const validity =
      "Set `expiry` in the URL to the number of minutes for which your identity server's codes are valid. The message shows this number.";
    return { data: settings, text: `${text}\n\n${validity}` };
  });
}
