import { InvalidArgumentError, type Command } from 'commander';
import type { DataOf } from '../modules/manage/operations.js';
import type { RouteEntry } from '../modules/providers/route.js';
import { entryText } from '../modules/providers/routes-service.js';
import { withAccount } from './account-option.js';
import { addAction, addCommand, type Context } from './context.js';
import { addOperation, addOptions, parametersOf, perform } from './operation.js';
import { formatTable } from './output.js';

interface RouteOptions {
  readonly account: string;
  readonly automatic?: true;
}

/** The parts of a path that are options of the commands. */
const KEY = ['channel', 'country'];

const routeJson = ({ version: _version, ...route }: DataOf<'putRoute'>) => route;

export function complete(route: Command, context: Context): void {
  addOperation(route, context, 'listRoutes', {
    name: 'list',
    description: 'show the routes of an account',
    examples: ['', '--json'],
    json: ({ routes }) => routes.map(routeJson),
    text({ routes }) {
      const rows = routes.map(({ channel, country, mode, providers }) => [
        channel,
        country,
        mode,
        providers.map(entryText).join('\n'),
      ]);
      const empty = 'There are no routes: each channel uses its providers in the order in which they were added.';
      return formatTable(['Channel', 'Country', 'Order', 'Providers'], rows, empty);
    },
  });
  addSet(route, context);
  addOperation(route, context, 'deleteRoute', {
    name: 'remove',
    description: 'remove a route; running servers apply the change within 2 seconds',
    examples: ['--channel SMS --country IN'],
    options: KEY,
    text: ({ channel, country }) => `Removed the route for ${channel} ${country}.`,
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

function toRoute(parsed: readonly ParsedEntry[], automatic = false) {
  const providers = parsed.map(({ provider, value }): RouteEntry => {
    if (value === undefined) return { provider };
    return automatic ? { provider, price: Number(value) } : { provider, weight: Number(value) };
  });
  return { mode: automatic ? 'automatic' : 'ordered', providers };
}

function addSet(route: Command, context: Context): void {
  const set = withAccount(
    addCommand(route, 'set', 'set a route; running servers apply the change within 2 seconds', [
      '--channel SMS --country IN PROVIDER_ID OTHER_ID',
      '--channel SMS PROVIDER_ID=70 OTHER_ID=30',
      '--channel SMS --automatic PROVIDER_ID=0.0075 OTHER_ID=0.004',
    ]),
  );
  const key = addOptions(set, 'putRoute', ['mode', 'providers'], KEY);
  set.option('--automatic', 'first try the provider whose codes are entered most often');
  set.argument(
    '<PROVIDER...>',
    'provider IDs, in the order in which they are tried; ID=WEIGHT distributes messages by weight; with --automatic, ID=PRICE prefers the cheaper of equally good providers',
    parseEntry,
  );
  addAction(set, context, async (parsed: readonly ParsedEntry[], options: RouteOptions) => {
    const parameters = { ...parametersOf(key, { ...options }), ...toRoute(parsed, options.automatic) };
    const data = await perform(context, 'putRoute', parameters, options.account);
    return { data: routeJson(data), text: `Saved the route for ${data.channel} ${data.country}.` };
  });
}
