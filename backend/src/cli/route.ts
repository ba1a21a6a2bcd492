import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { ANY_COUNTRY, type RouteEntry } from '../modules/providers/route.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import { accountIdOf, withAccount } from './account-option.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatTable } from './output.js';

interface RouteOptions {
  readonly account: string;
  readonly channel: ChannelName;
  readonly country: string;
}

export function complete(route: Command, context: Context): void {
  withExamples(route, [
    'set --channel SMS --country IN PROVIDER_ID OTHER_PROVIDER_ID',
    'set --channel SMS PROVIDER_ID=70 OTHER_PROVIDER_ID=30',
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

const entryText = ({ provider, weight }: RouteEntry): string =>
  weight === undefined ? provider : `${provider}=${weight}`;

function addList(route: Command, context: Context): void {
  const list = withAccount(addCommand(route, 'list', 'show the routes of an account', ['', '--json']));
  addAction(list, context, async ({ account }: { account: string }) => {
    const core = await context.core();
    const routes = await core.providers.routes.list(OPERATOR, await accountIdOf(core, account));
    const data = routes.map(({ channel, country, entries }) => ({ channel, country, providers: entries }));
    const rows = data.map(({ channel, country, providers }) => [channel, country, providers.map(entryText).join('\n')]);
    const empty = 'There are no routes: each channel uses its providers in the order in which they were added.';
    return { data, text: formatTable(['Channel', 'Country', 'Providers'], rows, empty) };
  });
}

function parseEntry(text: string, before: readonly RouteEntry[] = []): readonly RouteEntry[] {
  const [, provider, weight] = /^([\w-]+)(?:=(\d{1,4}))?$/.exec(text) ?? [];
  if (provider === undefined) throw new InvalidArgumentError('It must be a provider ID, or ID=WEIGHT.');
  return [...before, weight === undefined ? { provider } : { provider, weight: Number(weight) }];
}

function addSet(route: Command, context: Context): void {
  const examples = ['--channel SMS --country IN PROVIDER_ID OTHER_ID', '--channel SMS PROVIDER_ID=70 OTHER_ID=30'];
  const set = withKey(
    addCommand(route, 'set', 'set a route; running servers apply the change within 2 seconds', examples),
  );
  set.argument(
    '<PROVIDER...>',
    'provider IDs, in the order to try them; ID=WEIGHT distributes messages by weight',
    parseEntry,
  );
  addAction(set, context, async (entries: readonly RouteEntry[], { account, channel, country }: RouteOptions) => {
    const core = await context.core();
    const accountId = await accountIdOf(core, account);
    await core.providers.routes.set(OPERATOR, { accountId, channel, country, entries });
    return { data: { channel, country, providers: entries }, text: `Saved the route for ${channel} ${country}.` };
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
