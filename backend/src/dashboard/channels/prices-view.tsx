/** A channel's prices page, with a form and the import of a price list. */
import { COUNTRY_NAMES, countryName, countryNamed } from '../../modules/recipients/country.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { countryOf, priceOf, type PriceChange } from '../../modules/providers/price-list.js';
import type { ChannelPricesView, PricesView } from '../../modules/providers/prices-service.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { CountryNames } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { ConfirmationBox, Field, FieldProblem, Form, FormProblems, ListFile, TextArea } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { countText } from '../usage/figures.js';
import { CHANNELS_PATH, pricesPath } from './labels.js';

const UNITS: Readonly<Record<ChannelName, string>> = {
  SMS: 'an SMS of up to 160 characters, or up to 70 if it contains emoji or non-Latin letters, such as Arabic ones. Longer messages count as several SMS',
  WHATSAPP: 'a WhatsApp message',
  VOICE: 'a call',
  EMAIL: 'an email',
};

const UNIT_NAMES: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'message',
  VOICE: 'call',
  EMAIL: 'email',
};

export const countryTitle = (country: string): string =>
  country === ANY_COUNTRY ? 'All other countries' : countryName(country);

/** Compares countries by name; all other countries come last. */
export const byCountryName = (a: string, b: string): number =>
  Number(a === ANY_COUNTRY) - Number(b === ANY_COUNTRY) || countryTitle(a).localeCompare(countryTitle(b), 'en');

/** A row of the form. */
export interface PriceRow {
  /** The name, or what a person entered instead. */
  readonly country: string;
  readonly price?: string | undefined;
  /** The number of messages that were sent to a country without a price. */
  readonly messages?: number | undefined;
}

/** Summarizes prices in a sentence, for the list of channels. At least one must be set. */
export function pricesSummary({ channel, prices }: ChannelPricesView, currency: string): string {
  const others = Object.keys(prices).filter((country) => country !== ANY_COUNTRY).length;
  const countries = `${others} ${others === 1 ? 'country' : 'countries'}`;
  const everywhere = prices[ANY_COUNTRY];
  if (everywhere === undefined) return `Prices for ${countries}; no price set for others.`;
  const price = `${everywhere} ${currency.toUpperCase()} per ${UNIT_NAMES[channel]}.`;
  if (others === 0) return price;
  return `${price} ${countries} ${others === 1 ? 'has its own price' : 'have their own prices'}.`;
}

export interface ImportPreview {
  readonly changes: readonly PriceChange[];
  /** Number of countries whose price stays the same. */
  readonly unchanged: number;
  readonly repeated: number;
}

const CHANGE_COLUMNS: readonly Column<PriceChange>[] = [
  { title: 'Country', cell: ({ country }) => countryTitle(country) },
  { title: 'Current price', number: true, cell: ({ before }) => before ?? <span class="quiet">none</span> },
  { title: 'New price', number: true, cell: ({ after }) => after ?? <span class="quiet">removed</span> },
];

function Preview({ preview: { changes, unchanged, repeated } }: { readonly preview: ImportPreview }) {
  const count = (is: (change: PriceChange) => boolean) => changes.filter(is).length;
  const parts = [
    [count(({ before }) => before === undefined), 'new'],
    [count(({ before, after }) => before !== undefined && after !== undefined), 'changed'],
    [count(({ after }) => after === undefined), 'removed'],
    [unchanged, 'unchanged'],
  ] as const;
  const summary = parts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : [])).join(', ');
  const note = repeated > 0 ? ' Some countries are listed more than once; the highest price is used.' : '';
  return (
    <div class="stack" id="preview" tabIndex={-1} data-focus>
      <Notice kind="info">
        {changes.length === 0
          ? 'The list contains no changes.'
          : `Prices: ${summary}.${note} Nothing is saved yet. Check the changes, then save the prices.`}
      </Notice>
      {changes.length > 0 && (
        <Table
          caption="Changes"
          columns={CHANGE_COLUMNS}
          rows={[...changes].sort((a, b) => byCountryName(a.country, b.country))}
          keyOf={({ country }) => country}
        />
      )}
    </div>
  );
}

interface PricesProps {
  readonly view: PricesView;
  readonly channel: ChannelPricesView;
  /** Countries without a price of their own. */
  readonly unpriced: readonly PriceRow[];
  readonly form: FormState;
  readonly importForm: FormState;
  readonly currencyForm: FormState;
  readonly preview: ImportPreview | undefined;
  /** Number of rows for new countries, of which the last one was just added. */
  readonly newRows: number | undefined;
  /** Whether the form contains submitted values that are not stored. */
  readonly isUnsaved: boolean;
}

const NAMES_ID = 'country-names';

type RowsProps = Pick<PricesProps, 'form' | 'newRows' | 'unpriced'> & { readonly code: string; readonly unit: string };

/** A row for each country that has or needs a price, empty rows for more, and the price for all other countries. */
function CountryRows({ form, newRows, unpriced, code, unit }: RowsProps) {
  const entered = (form.typed.countries ?? '').split('\n').filter(Boolean);
  const lines = entered.map((line): PriceRow => {
    const [text = '', price] = line.split(' = ');
    const code = countryNamed(text);
    const country = code === undefined ? text : countryName(code);
    return { country, price, messages: unpriced.find((row) => row.country === country)?.messages };
  });
  const missing = unpriced.filter(({ country }) => !lines.some((line) => line.country === country));
  const named = [...missing, ...lines].sort((a, b) => a.country.localeCompare(b.country, 'en'));
  const rows = [...named, ...Array<PriceRow>(newRows ?? 1).fill({ country: '' })];
  const isUnknown = (text: string): boolean =>
    form.errors.countries !== undefined && text !== '' && countryOf(text) === undefined;
  const isWrong = (price: string | undefined): boolean =>
    form.errors.countries !== undefined && price !== undefined && priceOf(price) === undefined;
  const field = { type: 'text', autocomplete: 'off', spellcheck: false } as const;
  return (
    <div class="field" id="field-countries" tabIndex={-1}>
      <CountryNames id={NAMES_ID} />
      <table class="price-rows">
        <caption class="unseen">Prices by country</caption>
        <thead>
          <tr>
            <th scope="col">Country</th>
            <th scope="col">{`${code} per ${unit}`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ country, price, messages }, row) => (
            <tr key={row}>
              <td>
                {COUNTRY_NAMES.includes(country) ? (
                  <>
                    <input type="hidden" name="country" value={country} />
                    {country}
                    {messages !== undefined && (
                      <div class="quiet small">
                        {countText(messages)} sent, {form.typed.price ? 'no separate price' : 'price not set'}
                      </div>
                    )}
                  </>
                ) : (
                  <input
                    {...field}
                    name="country"
                    list={NAMES_ID}
                    maxLength={100}
                    aria-label={`Country ${row + 1}`}
                    placeholder="Country"
                    value={country}
                    autofocus={newRows !== undefined && row === rows.length - 1}
                    aria-invalid={isUnknown(country) || undefined}
                    aria-describedby={isUnknown(country) ? `country-${row}-error` : undefined}
                  />
                )}
                {isUnknown(country) && (
                  <p class="problem" id={`country-${row}-error`}>
                    “{country}” is not a country.
                  </p>
                )}
                {isWrong(price) && (
                  <p class="problem" id={`price-${row}-error`}>
                    Enter a price such as 0.0042.
                  </p>
                )}
              </td>
              <td>
                <input
                  {...field}
                  name="countryPrice"
                  inputMode="decimal"
                  maxLength={20}
                  aria-label={COUNTRY_NAMES.includes(country) ? `Price: ${country}` : `Price ${row + 1}`}
                  placeholder={country === '' ? '' : 'Not set'}
                  value={price ?? ''}
                  aria-invalid={isWrong(price) || undefined}
                  aria-describedby={isWrong(price) ? `price-${row}-error` : undefined}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              <label for="field-price">All other countries</label>
              <FieldProblem form={form} name="price" />
            </td>
            <td>
              <input
                {...field}
                id="field-price"
                name="price"
                inputMode="decimal"
                maxLength={20}
                placeholder="Not set"
                value={form.typed.price ?? ''}
                aria-invalid={form.errors.price !== undefined || undefined}
                aria-describedby={form.errors.price && 'field-price-error'}
              />
            </td>
          </tr>
        </tfoot>
      </table>
      {!rows.some(({ country, price }) => isUnknown(country) || isWrong(price)) && (
        <FieldProblem form={form} name="countries" />
      )}
      <p class="hint">To remove a country, clear its price. The price for all other countries then applies.</p>
    </div>
  );
}

function PricesForm({ view: { currency }, channel: { channel, prices }, ...shown }: PricesProps) {
  const { form, isUnsaved } = shown;
  const isEmail = channel === 'EMAIL';
  const code = currency.toUpperCase();
  const unit = UNIT_NAMES[channel];
  return (
    <Form action={pricesPath(channel)} stored={prices} form={form} data-unsaved={isUnsaved || undefined} noValidate>
      <FormProblems form={form} labels={{ price: isEmail ? 'Price' : 'All other countries' }} />
      {isEmail ? (
        <Field
          form={form}
          name="price"
          label="Price"
          unit={`${code} per ${unit}`}
          hint="For example, 0.0004."
          inputMode="decimal"
          autocomplete="off"
          maxLength={20}
          placeholder="Not set"
        />
      ) : (
        <CountryRows {...shown} code={code} unit={unit} />
      )}
      <div class="actions">
        <button class="button saved-by-bar">Save the prices</button>
        {!isEmail && (
          <button class="button subtle" name="more" value="yes">
            Add a country
          </button>
        )}
        <a class="button subtle" href={CHANNELS_PATH}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

const ImportCard = ({ channel: { channel }, importForm }: PricesProps) => (
  <Card
    beside
    id="price-list"
    title="Import prices"
    lead="Use your provider's CSV file. Each line has a country, as a code or an English name, and a price."
  >
    <Disclosure
      label="Import a price list"
      form={importForm}
      labels={{ list: 'Price list' }}
      prevented="Nothing was imported."
    >
      <Form action={`${pricesPath(channel)}/import`} noValidate>
        <ListFile name="list" />
        <TextArea
          form={importForm}
          name="list"
          label="Price list"
          hint="For example, IN,0.0042 or India,0.0042. A header line is skipped."
          rows={6}
          class="code"
          autocapitalize="none"
          spellcheck={false}
        />
        <label class="choice">
          <input type="checkbox" name="replace" value="yes" checked={importForm.typed.replace === 'yes'} />
          Remove the prices of countries that are not in the list
        </label>
        <Submit label="Preview the import" kind="subtle" />
      </Form>
    </Disclosure>
  </Card>
);

/** A form that changes the currency for all channels. */
const CurrencyCard = ({ view: { currency }, channel: { channel }, currencyForm }: PricesProps) => (
  <Card
    beside
    id="currency"
    title="Currency"
    lead="The currency applies to the prices of all channels and to daily budgets. Amounts are not converted."
  >
    <Form action={`${pricesPath(channel)}/currency`} class="line" noValidate>
      <FormProblems
        form={currencyForm}
        labels={{ currency: 'Currency code' }}
        prevented="The currency was not changed."
      />
      <ConfirmationBox
        form={currencyForm}
        label={`Change the currency of all prices and daily budgets: ${currency.toUpperCase()} → ${currencyForm.typed.currency}`}
      />
      <Field
        form={currencyForm}
        name="currency"
        label="Currency code"
        maxLength={3}
        autocapitalize="characters"
        autocomplete="off"
      />
      <button class="button subtle">Change the currency</button>
    </Form>
  </Card>
);

/** Read-only prices: prices from `PRICES_FILE`, or prices shown to people who are not owners. */
function FixedPrices({
  channel: { channel, prices, readOnly },
  currency,
}: Pick<PricesProps, 'channel'> & { currency: string }) {
  const columns: readonly Column<readonly [string, string]>[] = [
    { title: 'Country', cell: ([country]) => countryTitle(country) },
    {
      title: `Price in ${currency.toUpperCase()} per ${UNIT_NAMES[channel]}`,
      number: true,
      cell: ([, price]) => price,
    },
  ];
  return (
    <>
      {readOnly && (
        <Notice kind="info">The operator of this server set these prices. Only the operator can change them.</Notice>
      )}
      <Table
        caption="Prices"
        columns={columns}
        rows={Object.entries(prices).sort(([a], [b]) => byCountryName(a, b))}
        keyOf={([country]) => country}
      />
    </>
  );
}

export function PricesPage(props: PricesProps) {
  const { view, channel, preview } = props;
  const { channel: name, readOnly } = channel;
  const mayChange = useVisit().may('own');
  const links = view.channels.map((one) => ({
    href: pricesPath(one.channel),
    label: CHANNEL_NAMES[one.channel],
    current: one.channel === name,
  }));
  return (
    <>
      <p class="crumbs">
        <a href={CHANNELS_PATH}>Channels</a>
      </p>
      <PageHead
        title={`Prices: ${CHANNEL_NAMES[name]}`}
        lead={`The price that your provider charges for ${UNITS[name]}.`}
      />
      <LinkNav class="tabs" label="Channels" links={links} />
      {readOnly || !mayChange ? (
        <FixedPrices channel={channel} currency={view.currency} />
      ) : (
        <>
          <Card
            beside
            id="prices"
            title="Prices"
            lead="Passbell uses these prices for costs, daily budgets and Protection."
          >
            {preview && <Preview preview={preview} />}
            <PricesForm {...props} />
          </Card>
          {name !== 'EMAIL' && <ImportCard {...props} />}
          {view.maySetCurrency && <CurrencyCard {...props} />}
        </>
      )}
      {readOnly && mayChange && view.maySetCurrency && <CurrencyCard {...props} />}
    </>
  );
}
