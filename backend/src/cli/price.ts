import { readFileSync } from 'node:fs';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import { parsePriceList, priceChanges } from '../modules/providers/price-list.js';
import { ANY_COUNTRY } from '../modules/providers/route.js';
import { parsePrice } from '../platform/config/prices-file.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import { accountIdOf, addAccountAction } from './account-option.js';
import { addAction, addCommand, type Context, EFFECTIVE_TEXT, OperatorError } from './context.js';
import { formatTable } from './output.js';

interface PriceOptions {
  readonly channel: ChannelName;
  readonly country: string;
}

export function complete(price: Command, context: Context): void {
  addList(price, context);
  addSet(price, context);
  addRemove(price, context);
  addImport(price, context);
  addCurrency(price, context);
}

const withChannel = (command: Command): Command =>
  command.addOption(new Option('--channel <CHANNEL>', 'channel').choices(CHANNELS).makeOptionMandatory());

const withCountry = (command: Command): Command =>
  withChannel(command).option('--country <COUNTRY>', 'ISO country code, or * for all other countries', country, '*');

function country(text: string): string {
  if (text !== ANY_COUNTRY && !isSupportedCountry(text))
    throw new InvalidArgumentError('It must be an ISO country code such as IN, or *.');
  return text;
}

function priceAmount(text: string): string {
  const price = parsePrice(text);
  if (price === undefined)
    throw new InvalidArgumentError('It must be a price such as 0.0042, with at most four decimals.');
  return price;
}

function addList(price: Command, context: Context): void {
  const list = addCommand(price, 'list', 'show the prices of an account', ['', '--json']);
  addAccountAction(list, context, async (core, accountId) => {
    const data = await core.providers.prices.list(OPERATOR, accountId);
    const rows = data.channels.flatMap(({ channel, prices, readOnly }) =>
      Object.entries(prices).map(([code, value]) => [channel, code, value, readOnly ? 'PRICES_FILE' : '']),
    );
    const currency = data.currency.toUpperCase();
    return { data, text: formatTable(['Channel', 'Country', currency, 'Set in'], rows, 'No prices are set.') };
  });
}

function addSet(price: Command, context: Context): void {
  const examples = ['--channel SMS --country IN 0.0042', '--channel SMS 0.05'];
  const set = withCountry(addCommand(price, 'set', `set the price of a message; ${EFFECTIVE_TEXT}`, examples));
  set.argument('<PRICE>', 'price of an SMS segment, a WhatsApp message, a voice call or an email', priceAmount);
  addAccountAction(set, context, async (core, accountId, value: string, { channel, country: code }: PriceOptions) => {
    const prices = await core.providers.prices.set(OPERATOR, { accountId, channel, prices: { [code]: value } });
    return { data: { channel, prices }, text: `${channel} ${code}: ${value}` };
  });
}

function addRemove(price: Command, context: Context): void {
  const remove = withCountry(
    addCommand(price, 'remove', `remove a price; ${EFFECTIVE_TEXT}`, [
      '--channel SMS --country IN',
      '--channel SMS --all',
    ]),
  ).option('--all', 'remove all prices of the channel');
  type Options = PriceOptions & { all?: boolean };
  addAccountAction(remove, context, async (core, accountId, { channel, country: code, all }: Options) => {
    const change = all ? { prices: {}, replace: true } : { prices: { [code]: undefined } };
    const prices = await core.providers.prices.set(OPERATOR, { accountId, channel, ...change });
    return {
      data: { channel, prices },
      text: all ? `Removed all prices of ${channel}.` : `Removed ${channel} ${code}.`,
    };
  });
}

interface ImportOptions extends PriceOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
}

function addImport(price: Command, context: Context): void {
  const description = `import a CSV file with one country and its price per line; ${EFFECTIVE_TEXT}`;
  const command = withChannel(addCommand(price, 'import', description, ['--channel SMS prices.csv --dry-run']))
    .argument('<FILE>', 'file with lines such as IN,0.0042')
    .option('--replace', 'remove the prices of countries that the file does not contain')
    .option('--dry-run', 'show the changes without storing them');
  addAccountAction(
    command,
    context,
    async (core, accountId, file: string, { channel, dryRun, replace }: ImportOptions) => {
      const { prices, problems, repeated } = parsePriceList(readFileSync(file, 'utf8'), channel);
      if (problems.length > 0) throw new OperatorError(`nothing was imported\n${problems.join('\n')}`);
      const before = (await core.providers.prices.list(OPERATOR, accountId)).channels.find(
        (view) => view.channel === channel,
      )!;
      const after = replace ? prices : { ...before.prices, ...prices };
      if (!dryRun) await core.providers.prices.set(OPERATOR, { accountId, channel, prices, replace: replace === true });
      const changes = priceChanges(before.prices, after);
      const rows = changes.map((change) => [change.country, change.before ?? '', change.after ?? '']);
      const table = formatTable(['Country', 'Before', 'After'], rows, 'No price changes.');
      const note = repeated > 0 ? '\nSome countries are listed more than once; their highest price is used.' : '';
      return { data: { channel, changes, repeated, stored: !dryRun }, text: `${table}${note}` };
    },
  );
}

function addCurrency(price: Command, context: Context): void {
  const currency = addCommand(price, 'currency', 'set the currency of all prices; prices are not converted', ['eur']);
  currency.argument('<CODE>', 'ISO 4217 code such as eur');
  addAction(currency, context, async (code: string) => {
    const core = await context.core();
    await core.providers.prices.setCurrency(OPERATOR, await accountIdOf(core, OPERATOR_ACCOUNT), code);
    return { data: { currency: code.toLowerCase() }, text: `All prices are in ${code.toUpperCase()}.` };
  });
}
