/** A channel's prices page, with a form and the import of a price list. */
import { countryName } from '../../modules/recipients/country.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { PriceChange } from '../../modules/providers/price-list.js';
import type { ChannelPricesView, PricesView } from '../../modules/providers/prices-service.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems, TextArea } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { CHANNELS_PATH, pricesPath } from './labels.js';

const UNITS: Readonly<Record<ChannelName, string>> = {
  SMS: 'an SMS of up to 160 characters; longer messages count as several',
  WHATSAPP: 'a WhatsApp message',
  VOICE: 'a call',
  EMAIL: 'an email',
};

const countryTitle = (country: string): string =>
  country === ANY_COUNTRY ? 'All other countries' : `${countryName(country)} (${country})`;

/** Summarizes prices in a sentence, for the list of channels. */
export function pricesSummary({ prices }: ChannelPricesView, currency: string): string {
  const others = Object.keys(prices).filter((country) => country !== ANY_COUNTRY).length;
  const countries = `${others} ${others === 1 ? 'country' : 'countries'}`;
  const everywhere = prices[ANY_COUNTRY];
  if (everywhere === undefined) return others === 0 ? 'No price set.' : `Prices for ${countries}; others are free.`;
  const price = `${everywhere} ${currency.toUpperCase()}`;
  return others === 0 ? `Price: ${price}.` : `Price: ${price}, and other prices for ${countries}.`;
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
  const note = repeated > 0 ? ' Some countries are listed more than once; the highest price counts.' : '';
  return (
    <div class="stack" id="preview" tabIndex={-1} data-focus>
      <Notice kind="info">
        {changes.length === 0
          ? 'The list contains no changes.'
          : `Prices: ${summary}.${note} Nothing is saved yet: check the changes, and save the prices.`}
      </Notice>
      {changes.length > 0 && (
        <Table caption="Changes" columns={CHANGE_COLUMNS} rows={changes} keyOf={({ country }) => country} />
      )}
    </div>
  );
}

interface PricesProps {
  readonly view: PricesView;
  readonly channel: ChannelPricesView;
  readonly form: FormState;
  readonly importForm: FormState;
  readonly preview: ImportPreview | undefined;
}

function PricesForm({ view: { currency }, channel: { channel, prices }, form }: PricesProps) {
  const isEmail = channel === 'EMAIL';
  const code = currency.toUpperCase();
  const price = { form, name: 'price', inputMode: 'decimal', autocomplete: 'off', maxLength: 20 } as const;
  return (
    <Form action={pricesPath(channel)} stored={prices} noValidate>
      <FormProblems form={form} />
      <Field
        {...price}
        label={isEmail ? `Price in ${code}` : `Price in ${code} for all other countries`}
        hint={
          isEmail
            ? 'Such as 0.0004. Leave it empty if emails are free.'
            : 'Such as 0.05. Leave it empty if messages to other countries are free.'
        }
      />
      {!isEmail && (
        <TextArea
          form={form}
          name="countries"
          label="Prices by country"
          hint={
            <>
              One country per line, such as <code>IN = 0.0042</code> or <code>India = 0.0042</code>.
            </>
          }
          rows={Math.min(16, Math.max(5, Object.keys(prices).length + 2))}
          class="code"
          autocapitalize="none"
          spellcheck={false}
        />
      )}
      <Submit label="Save the prices" cancel={CHANNELS_PATH} />
    </Form>
  );
}

const ImportCard = ({ channel: { channel }, importForm }: PricesProps) => (
  <Card
    id="import"
    title="Import a price list"
    lead="Use the CSV file of your provider. Each line has a country (a code such as IN, or an English name) and a price."
  >
    <Form action={`${pricesPath(channel)}/import`} noValidate>
      <FormProblems form={importForm} />
      <div class="field" hidden data-file>
        <label for="field-file">CSV file</label>
        <input id="field-file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" data-file-for="field-list" />
      </div>
      <TextArea
        form={importForm}
        name="list"
        label="Price list"
        hint="Lines such as IN,0.0042. A header line is skipped."
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
  </Card>
);

/** A form that changes the currency for all channels. */
const CurrencyCard = ({ view: { currency }, channel: { channel }, form }: PricesProps) => (
  <Card
    id="currency"
    title="Currency"
    lead="Applies to the prices of all channels and to cost limits. Prices are not converted."
  >
    <Form action={`${pricesPath(channel)}/currency`} class="line" noValidate>
      <Field
        form={{ ...form, typed: { currency: form.typed.currency ?? currency.toUpperCase() } }}
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
function FixedPrices({ channel: { prices, readOnly }, currency }: Pick<PricesProps, 'channel'> & { currency: string }) {
  const columns: readonly Column<readonly [string, string]>[] = [
    { title: 'Country', cell: ([country]) => countryTitle(country) },
    { title: `Price in ${currency.toUpperCase()}`, number: true, cell: ([, price]) => price },
  ];
  return (
    <>
      {readOnly && (
        <Notice kind="info">
          These prices are set in the server's environment (PRICES_FILE), and can only be changed there.
        </Notice>
      )}
      <Table caption="Prices" columns={columns} rows={Object.entries(prices)} keyOf={([country]) => country} />
    </>
  );
}

export function PricesPage(props: PricesProps) {
  const { view, channel, preview } = props;
  const { channel: name, readOnly } = channel;
  const mayChange = useVisit().may('own');
  return (
    <>
      <PageHead
        title={`Prices: ${CHANNEL_NAMES[name]}`}
        lead={`What your provider charges for ${UNITS[name]}. These prices are used for usage reports, cost limits and the fraud guard.`}
      >
        <a class="button subtle" href={CHANNELS_PATH}>
          Back to the channels
        </a>
      </PageHead>
      {readOnly || !mayChange ? (
        <FixedPrices channel={channel} currency={view.currency} />
      ) : (
        <>
          <Card id="prices" title="Prices">
            {preview && <Preview preview={preview} />}
            <PricesForm {...props} />
          </Card>
          {name !== 'EMAIL' && <ImportCard {...props} />}
        </>
      )}
      {mayChange && view.maySetCurrency && <CurrencyCard {...props} />}
    </>
  );
}
