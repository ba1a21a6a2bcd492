import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { ANY_COUNTRY, type Route, type RouteEntry } from '../modules/providers/route.js';
import { entryText } from '../modules/providers/routes-service.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import { accountIdOf, withAccount } from './account-option.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatTable } from './output.js';

interface RouteOptions {
  readonly account: string;
  readonly channel: ChannelName;
  readonly country: string;
  readonly automatic?: true;
}

export function complete(route: Command, context: Context): void {
  withExamples(route, [
    'set --channel SMS --country IN PROVIDER_ID OTHER_PROVIDER_ID',
    'set --channel SMS PROVIDER_ID=70 OTHER_PROVIDER_ID=30',
    'set --channel SMS --automatic PROVIDER_ID OTHER_PROVIDER_ID',
    'list',
    'remove --channel SMS --country IN',
  ]);
  addList(route, context);
  addSet(route, context);
  addRemove(route, context);
}

const withKey = (command: Command): Command =>
  withAccount(command)
    .addOption(new Option('--channel <CHANNEL>', 'channel').choices(CHANNELS).makeOptionMandatory())
    .option('--country <COUNTRY>', 'ISO country code, or * for all other countries', ANY_COUNTRY);

function addList(route: Command, context: Context): void {
  const list = withAccount(addCommand(route, 'list', 'show the routes of an account', ['', '--json']));
  addAction(list, context, async ({ account }: { account: string }) => {
    const core = await context.core();
    const routes = await core.providers.routes.list(OPERATOR, await accountIdOf(core, account));
    const data = routes.map(({ channel, country, mode, entries }) => ({ channel, country, mode, providers: entries }));
    const rows = data.map(({ channel, country, mode, providers }) => [
      channel,
      country,
      mode,
      providers.map(entryText).join('\n'),
    ]);
    const empty = 'There are no routes: each channel uses its providers in the order in which they were added.';
    return { data, text: formatTable(['Channel', 'Country', 'Order', 'Providers'], rows, empty) };
  });
}

interface ParsedEntry {
  readonly provider: string;
  readonly value?: string | undefined;
}

function parseEntry(text: string, before: readonly ParsedEntry[] = []): readonly ParsedEntry[] {
  const [, provider, value] = /^([\w-]+)(?:=(\d{1,4}(?:\.\d{1,6})?))?$/.exec(text) ?? [];
  if (provider === undefined) throw new InvalidArgumentError('It must be a provider ID, or ID=NUMBER.');
  return [...before, { provider, value }];
}

function toRoute(parsed: readonly ParsedEntry[], automatic = false): Pick<Route, 'mode' | 'entries'> {
  const entries = parsed.map(({ provider, value }): RouteEntry => {
    if (value === undefined) return { provider };
    return automatic ? { provider, price: Number(value) } : { provider, weight: Number(value) };
  });
  return { mode: automatic ? 'automatic' : 'ordered', entries };
}

function addSet(route: Command, context: Context): void {
  const examples = [
    '--channel SMS --country IN PROVIDER_ID OTHER_ID',
    '--channel SMS PROVIDER_ID=70 OTHER_ID=30',
    '--channel SMS --automatic PROVIDER_ID=0.0075 OTHER_ID=0.004',
  ];
  const set = withKey(
    addCommand(route, 'set', 'set a route; running servers apply the change within 2 seconds', examples),
  );
  set.option('--automatic', 'first try the provider whose codes are entered most often');
  set.argument(
    '<PROVIDER...>',
    'provider IDs, in the order to try them; ID=WEIGHT distributes messages by weight; with --automatic, ID=PRICE prefers the cheaper of equally good providers',
    parseEntry,
  );
  addAction(set, context, async (parsed: readonly ParsedEntry[], options: RouteOptions) => {
    const { account, channel, country, automatic } = options;
    const core = await context.core();
    const accountId = await accountIdOf(core, account);
    const { mode, entries } = toRoute(parsed, automatic);
    await core.providers.routes.set(OPERATOR, { accountId, channel, country, mode, entries });
    return { data: { channel, country, mode, providers: entries }, text: `Saved the route for ${channel} ${country}.` };
  });
}

function addRemove(route: Command, context: Context): void {
  const examples = ['--channel SMS --country IN'];
  const remove = withKey(
    addCommand(route, 'remove', 'remove a route; running servers apply the change within 2 seconds', examples),
  );
  addAction(remove, context, async ({ account, channel, country }: RouteOptions) => {
    const core = await context.core();
    if (!(await core.providers.routes.remove(OPERATOR, await accountIdOf(core, account), channel, country)))
      throw new OperatorError(`there is no route for ${channel} ${country}`);
    return { data: { channel, country }, text: `Removed the route for ${channel} ${country}.` };
  });
}
