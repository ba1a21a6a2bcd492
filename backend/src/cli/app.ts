import { Argument, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { MAX_GRACE_HOURS } from '../modules/applications/setting-values.js';
import type { IdentityServerKind } from '../modules/code-requests/identity-servers.js';
import { IDENTITY_SERVER_KINDS, IDENTITY_SERVERS } from '../modules/code-requests/identity-servers.js';
import { HOUR, SECOND } from '../platform/clock.js';
import { addAppDeletion } from './app-deletion.js';
import { addAppUpdate } from './app-update.js';
import { APPLICATION_COLUMN_TITLES, applicationBlock, applicationJson, applicationRow } from './application-view.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatBlock, formatTable, isoTime } from './output.js';
import { accountEmail, applicationName, wholeNumber } from './parse.js';

export function complete(app: Command, context: Context): void {
  const examples = [
    'create --name "My shop"',
    'list',
    'show APP_KEY',
    'update APP_KEY --status inactive',
    'rotate-secret APP_KEY',
    'delete APP_KEY --confirm "My shop"',
  ];
  withExamples(app, examples);
  addCreate(app, context);
  addList(app, context);
  addShow(app, context);
  addAppUpdate(app, context);
  addRotateSecret(app, context);
  addSmsHook(app, context);
  addAppDeletion(app, context);
}

function addCreate(app: Command, context: Context): void {
  const examples = ['--name "My shop"', '--name "My shop" --email owner@shop.example --json'];
  const create = addCommand(app, 'create', 'create an application and print its API credentials', examples)
    .requiredOption('--name <NAME>', 'name that recipients see in messages', applicationName)
    .option('--email <EMAIL>', "email address of the account it belongs to (default: the operator's)", accountEmail);
  addAction(create, context, async ({ name, email }: { name: string; email?: string }) => {
    const { applications } = await context.core();
    const pair = await applications.service.create(OPERATOR, { name, ...(email === undefined ? {} : { email }) });
    const created = await applications.service.load(pair.appKey);
    const text = formatBlock([
      ['Name', name],
      ['App Key', pair.appKey],
      ['App Secret', `${pair.appSecret}   (shown only once)`],
      ['Account', `${created.accountEmail} (${created.accountStatus})`],
    ]);
    return { data: { ...pair, ...applicationJson(created) }, text };
  });
}

function addList(app: Command, context: Context): void {
  addAction(addCommand(app, 'list', 'list all applications', ['', '--json']), context, async () => {
    const all = await (await context.core()).applications.service.list();
    const text = formatTable(APPLICATION_COLUMN_TITLES, all.map(applicationRow), 'No applications yet.');
    return { data: all.map(applicationJson), text };
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
      "Set `expiry` in the URL to the number of minutes that your identity server's codes are valid. The message shows this number.";
    return { data: settings, text: `${text}\n\n${validity}` };
  });
}

function addShow(app: Command, context: Context): void {
  const show = addCommand(app, 'show', 'show an application with all its settings', ['APP_KEY', 'APP_KEY --json']);
  show.argument('<APP_KEY>', 'App Key of the application');
  addAction(show, context, async (appKey: string) => {
    const application = await (await context.core()).applications.service.load(appKey);
    const { createdAt, lastUsedAt } = application;
    const times = { lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt) };
    const text = `${applicationBlock(application)}\n${formatBlock([
      ['Created', isoTime(createdAt)],
      ['Last used', times.lastUsedAt ?? 'not yet'],
    ])}`;
    return { data: { ...applicationJson(application), ...times }, text };
  });
}

function addRotateSecret(app: Command, context: Context): void {
  const description = 'create a new App Secret; the old one stays valid for 24 hours by default';
  const grace = 'hours that the old one stays valid; 0 revokes it now';
  const rotate = addCommand(app, 'rotate-secret', description, ['APP_KEY', 'APP_KEY --grace-hours 0'])
    .argument('<APP_KEY>', 'App Key of the application')
    .option('--grace-hours <N>', grace, wholeNumber(0, MAX_GRACE_HOURS), 24);
  addAction(rotate, context, async (appKey: string, { graceHours }: { graceHours: number }) => {
    const { applications } = await context.core();
    const rotated = await applications.service.rotateSecret(OPERATOR, appKey, (graceHours * HOUR) / SECOND);
    const oldSecretValidUntil = isoTime(rotated.oldSecretValidUntil);
    const text = formatBlock([
      ['App Key', appKey],
      ['App Secret', `${rotated.appSecret}   (shown only once)`],
      ['Old secret', graceHours === 0 ? 'no longer valid' : `valid until ${oldSecretValidUntil}`],
    ]);
    return { data: { ...rotated, oldSecretValidUntil }, text };
  });
}
