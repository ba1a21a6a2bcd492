import { EditConflictError } from '../../modules/access/actor.js';
import { mergePrices, parsePriceList, priceChanges } from '../../modules/providers/price-list.js';
import type { ChannelPricesView, PricesView } from '../../modules/providers/prices-service.js';
import { ProviderSettingsError } from '../../modules/providers/provider-account.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { countryName } from '../../modules/recipients/country.js';
import { operatorCommand } from '../../platform/config/operator-command.js';
import { isCurrency, parsePrice, type ChannelPrices } from '../../platform/config/prices-file.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { Conflict } from '../components/conflict.js';
import {
  CONFIRMED,
  EMPTY_FORM,
  FieldError,
  filledForm,
  isCurrent,
  readForm,
  statusOf,
  submittedForm,
  textOf,
  type FormBody,
  type FormState,
} from '../form.js';
import type { Modules } from '../modules.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';
import { act, actAfterCheck, page, PageNotFound, redirect, show } from '../page.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { pricesPath, sentence } from './labels.js';
import { ALL_DAYS } from '../home/setup.js';
import { byCountryName, countryTitle, PricesPage, type ImportPreview, type PriceRow } from './prices-view.js';

/** Largest price list: several thousand lines. Larger lists would block the process for too long. */
const MAX_LIST_LENGTH = 300_000;
/** A list takes up to three times as much in a form, and line breaks more. */
const IMPORT_LIMIT_BYTES = 4 * MAX_LIST_LENGTH;
/** Maximum number of empty rows. */
const MAX_NEW_ROWS = 10;
/** Maximum number of invalid lines to list in an error message. */
const MAX_PROBLEMS = 10;
const MAX_SUGGESTIONS = 20;

function readPrice(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const price = parsePrice(text.trim().replace(',', '.'));
  if (price === undefined) throw new FieldError('Enter a price such as 0.0042.');
  return price;
}

function readList(text: string, channel: ChannelName, unit: 'Line' | 'Row' = 'Line') {
  if (text.length > MAX_LIST_LENGTH)
    throw new FieldError(
      `This list is too long (limit: 300 kB). The operator of this server can import it with: ${operatorCommand()} price import`,
    );
  const list = parsePriceList(text, channel, unit);
  const { problems } = list;
  if (problems.length === 0) return list;
  const more = problems.length - MAX_PROBLEMS;
  throw new FieldError(
    [
      ...problems.slice(0, MAX_PROBLEMS),
      ...(more > 0 ? [more === 1 ? '1 more line has an error.' : `${more} more lines have errors.`] : []),
    ].join('\n'),
  );
}

/** Returns the submitted rows as lines of a price list. Leaves out rows without a price, unless a person added them. */
function linesOf({ country = [], countryPrice = [] }: FormBody, { channel, unpriced }: FoundPrices): string {
  const priced = Object.keys(channel.prices).filter(isCountry).map(countryName);
  const removable = new Set(['', ...priced, ...unpriced.map((row) => row.country)]);
  const rows = countryPrice.map((price, row) => [(country[row] ?? '').trim(), price.trim()] as const);
  return rows
    .filter(([name, price]) => price !== '' || !removable.has(name))
    .map(([name, price]) => `${name} = ${price}`)
    .join('\n');
}

function readCountries(text: string, channel: ChannelName): ChannelPrices {
  const { prices } = readList(text, channel, 'Row');
  if (prices[ANY_COUNTRY] !== undefined) throw new FieldError('Enter this price in the row “All other countries”.');
  return prices;
}

const isCountry = (code: string): boolean => code !== ANY_COUNTRY;

/** Returns the form with the countries sorted by name. */
function formOf(prices: ChannelPrices): FormState {
  const countries = Object.keys(prices).filter(isCountry).sort(byCountryName);
  const lines = countries.map((country) => `${countryName(country)} = ${prices[country]}`);
  return filledForm({ price: prices[ANY_COUNTRY] ?? '', countries: lines.join('\n') });
}

interface FoundPrices {
  readonly view: PricesView;
  readonly channel: ChannelPricesView;
  readonly unpriced: readonly PriceRow[];
}

/** State of the page's forms, and the preview of an import. */
interface PageState {
  readonly form?: FormState;
  readonly importForm?: FormState;
  readonly currencyForm?: FormState;
  readonly preview?: ImportPreview;
  /** Number of rows for new countries, of which the last one was just added. */
  readonly newRows?: number;
  /** Whether the form contains submitted values that are not stored. */
  readonly isUnsaved?: boolean;
}

export function pricesPages({
  applications,
  providers: { prices, service },
  usage,
}: Modules<'applications' | 'providers' | 'usage'>): readonly PageRoute[] {
  /** Returns the countries without a price of their own to which messages were sent, most messages first. */
  async function unpricedOf(accountId: number, { channel, prices: own }: ChannelPricesView) {
    const applicationIds = (await applications.service.listInAccount(accountId)).map(({ id }) => id);
    const sums = await usage.service.sums({ applicationIds, ...ALL_DAYS }, ['channel', 'country']);
    const sent = new Map<string, number>();
    for (const sum of sums)
      if (sum.channel === channel && sum.country !== '' && own[sum.country] === undefined)
        sent.set(sum.country, (sent.get(sum.country) ?? 0) + sum.sent);
    const rows = [...sent].map(([code, messages]) => ({ country: countryName(code), messages }));
    return rows.sort((a, b) => b.messages - a.messages).slice(0, MAX_SUGGESTIONS);
  }

  /** Returns the prices. Throws {@link PageNotFound} unless the account may have its own providers. */
  async function find({ actor, person: { accountId }, params }: Visit): Promise<FoundPrices> {
    if (!(await service.isAllowed(accountId))) throw new PageNotFound();
    const view = await prices.list(actor, accountId);
    const name = CHANNELS.find((candidate) => candidate.toLowerCase() === params.channel);
    const channel = view.channels.find((candidate) => candidate.channel === name);
    if (!channel) throw new PageNotFound();
    return { view, channel, unpriced: await unpricedOf(accountId, channel) };
  }

  /** Returns the prices. Throws {@link PageNotFound} if they come from `PRICES_FILE`. */
  async function changeable(visit: Visit): Promise<FoundPrices> {
    const found = await find(visit);
    if (found.channel.readOnly) throw new PageNotFound();
    return found;
  }

  function pricesPage(found: FoundPrices, shown: PageState = {}): PageReply {
    const { channel } = found;
    const { form = formOf(channel.prices), importForm = EMPTY_FORM, preview } = shown;
    const { newRows, isUnsaved = false } = shown;
    const { currencyForm = filledForm({ currency: found.view.currency.toUpperCase() }) } = shown;
    const props = { ...found, form, importForm, currencyForm, preview, newRows, isUnsaved };
    const content = <PricesPage {...props} />;
    const status = Math.max(...[form, importForm, currencyForm].map(statusOf));
    return page(`Prices: ${CHANNEL_NAMES[channel.channel]}`, content, status);
  }

  async function save(visit: Visit): Promise<PageReply | Change> {
    const { actor, person, body } = visit;
    const found = await changeable(visit);
    const { channel } = found.channel;
    const typed = { ...body, countries: [linesOf(body, found)] };
    if (textOf(body, 'more') !== '') {
      const form = submittedForm(body, { price: textOf(body, 'price'), countries: linesOf(body, found) });
      const rows = (body.countryPrice ?? []).map((priced, row) => `${priced}${body.country?.[row] ?? ''}`.trim());
      const newRows = Math.min(rows.filter((row) => row === '').length + 1, MAX_NEW_ROWS);
      return pricesPage(found, { form, newRows, isUnsaved: true });
    }
    const read = readForm({ price: readPrice, countries: (text) => readCountries(text, channel) }, typed);
    if (!read.ok) return pricesPage(found, { form: read.state, isUnsaved: true });
    const { price, countries } = read.values;
    const entered = mergePrices(countries, { [ANY_COUNTRY]: price });
    return async () => {
      try {
        const update = { accountId: person.accountId, channel, prices: entered, replace: true };
        await prices.set(actor, update, (current) => isCurrent(body, current));
      } catch (error) {
        if (error instanceof EditConflictError) return conflict(visit, entered);
        throw error;
      }
      const notice = 'Prices saved. New messages use them within 2 seconds.';
      return redirect(pricesPath(channel), { notice });
    };
  }

  async function conflict(visit: Visit, entered: ChannelPrices): Promise<PageReply> {
    const { channel } = await changeable(visit);
    const at = pricesPath(channel.channel);
    const fields = priceChanges(channel.prices, entered).map(({ country, before = '', after = '' }) => ({
      name: country,
      label: countryTitle(country),
      stored: before,
      typed: after,
    }));
    const what = `the price list of ${CHANNEL_NAMES[channel.channel]}`;
    const view = (
      <Conflict what={what} action={at} back={at} fields={fields} body={visit.body} stored={channel.prices} />
    );
    return page('Prices', view, 409);
  }

  /** Fills in the form with an imported list, and shows a preview of the changes. Stores nothing. */
  async function preview(visit: Visit): Promise<PageReply> {
    const { body } = visit;
    const found = await changeable(visit);
    const { channel, prices: before } = found.channel;
    const read = readForm({ list: (text) => readList(text, channel), replace: (text) => text === 'yes' }, body);
    if (!read.ok) return pricesPage(found, { importForm: read.state });
    const { list, replace } = read.values;
    const after = mergePrices(replace ? {} : before, list.prices);
    const changes = priceChanges(before, after);
    const unchanged = Object.keys(after).filter((country) => after[country] === before[country]).length;
    return pricesPage(found, {
      form: formOf(after),
      preview: { changes, unchanged, repeated: list.repeated },
      isUnsaved: true,
    });
  }

  async function setCurrency(visit: Visit): Promise<PageReply> {
    const { actor, person, body } = visit;
    const found = await find(visit);
    const at = pricesPath(found.channel.channel);
    const code = textOf(body, 'currency').trim().toUpperCase();
    const rejected = (errors: FormState['errors']) =>
      pricesPage(found, { currencyForm: filledForm({ currency: code }, errors) });
    const before = found.view.currency.toUpperCase();
    if (isCurrency(code) && code !== before && textOf(body, CONFIRMED) !== 'yes')
      return rejected({ [CONFIRMED]: `Amounts are not converted: 0.05 ${before} becomes 0.05 ${code}.` });
    try {
      await prices.setCurrency(actor, person.accountId, code);
      return redirect(at, { notice: `The currency is now ${code}.` });
    } catch (error) {
      if (!(error instanceof ProviderSettingsError)) throw error;
      return rejected({ currency: sentence(error.message) });
    }
  }

  return [
    show('/channels/prices/:channel', 'read', async (visit) => pricesPage(await find(visit))),
    actAfterCheck('/channels/prices/:channel', 'putPrices', save),
    act('/channels/prices/:channel/import', 'own', preview, { bodyLimit: IMPORT_LIMIT_BYTES }),
    act('/channels/prices/:channel/currency', 'putPrices', setCurrency),
  ];
}
