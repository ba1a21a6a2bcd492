/** `passbell app`: applications and their key pairs. */
import type { Command } from 'commander';
import { HOUR, SECOND } from '../platform/clock.js';
import { MAX_GRACE_HOURS } from '../modules/applications/setting-values.js';
import { addAppUpdate } from './app-update.js';
import { APPLICATION_HEAD, applicationJson, applicationRow } from './application-view.js';
import { withExamples, type Context } from './context.js';
import { answer, block, JSON_OPTION, table, time, type OutputOptions } from './output.js';
import { accountEmail, applicationName, wholeNumber } from './parse.js';

interface CreateOptions extends OutputOptions {
  readonly name: string;
  readonly email?: string;
}

interface RotateOptions extends OutputOptions {
  readonly graceHours: number;
}

export function addAppCommands(program: Command, context: Context): void {
  const app = program.command('app').description('applications and their key pairs');
  withExamples(app, ['create --name "My shop"', 'list', 'update APP_KEY --status inactive', 'rotate-secret APP_KEY']);
  addCreate(app, context);
  addList(app, context);
  addAppUpdate(app, context);
  addRotateSecret(app, context);
}

function addCreate(app: Command, context: Context): void {
  const create = app
    .command('create')
    .description('make an application and print its key pair')
    .requiredOption('--name <NAME>', 'name that recipients read in their messages', applicationName)
    .option('--email <EMAIL>', "mail address of the account it belongs to (default: the operator's)", accountEmail)
    .option(...JSON_OPTION)
    .action(async ({ name, email, ...output }: CreateOptions) => {
      const { applications } = await context.service();
      const pair = await applications.create({ name, ...(email === undefined ? {} : { email }) });
      const made = (await applications.list()).find(({ appKey }) => appKey === pair.appKey)!;
      const text = block([
        ['Name', name],
        ['App Key', pair.appKey],
        ['App Secret', `${pair.appSecret}   (shown only now)`],
        ['Account', `${made.accountEmail} (${made.accountStatus})`],
      ]);
      answer(context, output, { ...pair, ...applicationJson(made) }, text);
    });
  withExamples(create, ['--name "My shop"', '--name "My shop" --email owner@shop.example --json']);
}

function addList(app: Command, context: Context): void {
  const list = app
    .command('list')
    .description('show all applications')
    .option(...JSON_OPTION)
    .action(async (output: OutputOptions) => {
      const all = await (await context.service()).applications.list();
      const text = all.length > 0 ? table(APPLICATION_HEAD, all.map(applicationRow)) : 'There is no application yet.';
      answer(context, output, all.map(applicationJson), text);
    });
  withExamples(list, ['', '--json']);
}

function addRotateSecret(app: Command, context: Context): void {
  const rotate = app
    .command('rotate-secret')
    .description('make a new App Secret; the old one stays valid for a while')
    .argument('<APP_KEY>', 'key of the application')
    .option(
      '--grace-hours <N>',
      'hours that the old one stays valid; 0 ends it now',
      wholeNumber(0, MAX_GRACE_HOURS),
      24,
    )
    .option(...JSON_OPTION)
    .action(async (appKey: string, { graceHours, ...output }: RotateOptions) => {
      const { applications } = await context.service();
      const rotated = await applications.rotateSecret(appKey, (graceHours * HOUR) / SECOND);
      const until = time(rotated.oldSecretValidUntil);
      const text = block([
        ['App Key', appKey],
        ['App Secret', `${rotated.appSecret}   (shown only now)`],
        ['Old secret', graceHours === 0 ? 'no longer valid' : `valid until ${until}`],
      ]);
      answer(context, output, { ...rotated, oldSecretValidUntil: until }, text);
    });
  withExamples(rotate, ['APP_KEY', 'APP_KEY --grace-hours 0']);
}
