/** A route on the channels page, with its providers in order and their weights. */
import type { ComponentChildren } from 'preact';
import type { ChannelView, RouteView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { ANY_COUNTRY, MAX_ROUTE_LENGTH, type RouteEntry } from '../../modules/providers/route.js';
import { capitalized } from '../../platform/capitalized.js';
import { countryName } from '../../modules/recipients/country.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import type { FormState } from '../form.js';
import { CHANNELS_PATH, providerPath, routeName } from './labels.js';
import { priceField, versioned, weightField } from './route-change.js';
import { scoreText } from './score-text.js';

const providerName = (providers: readonly ProviderView[], id: string): string =>
  providers.find((provider) => provider.id === id)?.name ?? id;

interface EntryProps {
  readonly entry: RouteEntry;
  readonly provider: ProviderView | undefined;
  readonly position: number;
  readonly count: number;
  readonly isAutomatic: boolean;
  /** When the provider is tried, or how many messages it gets. */
  readonly share: string;
}

function EntryButtons({ entry, provider, position, count, isAutomatic }: EntryProps) {
  const name = provider?.name ?? entry.provider;
  const button = (change: string, label: string, shape: string, disabled = false) => (
    <button
      class="icon-button"
      name="change"
      value={`${change}:${entry.provider}`}
      aria-label={label}
      title={label}
      disabled={disabled}
    >
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
        <path d={shape} />
      </svg>
    </button>
  );
  return (
    <span class="entry-buttons">
      {!isAutomatic && button('up', `Move up: ${name}`, 'M12 19V5M6 11l6-6 6 6', position === 0)}
      {!isAutomatic && button('down', `Move down: ${name}`, 'M12 5v14M6 13l6 6 6-6', position === count - 1)}
      {button('remove', `Remove ${name} from the route`, 'M6 6l12 12M18 6L6 18', provider?.readOnly)}
    </span>
  );
}

function Entry(props: EntryProps) {
  const { entry, provider, position, count, share } = props;
  const mayChange = useVisit().may('own');
  const isOff = provider?.enabled === false;
  const note = isOff ? 'off' : provider?.verified === false ? 'not verified: skipped' : share;
  return (
    <li>
      {count > 1 && <span class="position">{position + 1}</span>}
      <div>
        {provider && mayChange ? (
          <a class="strong" href={providerPath(provider.id)}>
            {provider.name}
          </a>
        ) : (
          <span class="strong">{provider?.name ?? entry.provider}</span>
        )}
        <div class="quiet small">{capitalized(note)}</div>
      </div>
      {mayChange && count > 1 && <EntryButtons {...props} />}
    </li>
  );
}

/** `70% of messages`, or when the provider is tried if the route has no weights. `tried`: the entries that are not skipped. */
function shareText(entry: RouteEntry, tried: readonly RouteEntry[]): string {
  const { weight = 0 } = entry;
  const total = tried.reduce((sum, other) => sum + (other.weight ?? 0), 0);
  if (total === 0) {
    if (entry !== tried[0]) return 'fallback';
    return tried.length === 1 ? 'no fallback provider' : 'tried first';
  }
  return weight === 0 ? 'only if the others fail' : `${Math.round((100 * weight) / total)}% of messages`;
}

interface RouteProps extends Pick<ChannelView, 'channel'> {
  readonly route: RouteView;
  /** The submitted weights or prices of a route, with their errors. */
  readonly form: FormState;
  readonly isOnly: boolean;
  readonly providers: readonly ProviderView[];
}

/** A form that changes the route. */
function RouteForm({ route, channel, children }: RouteProps & { readonly children: ComponentChildren }) {
  const { country, mode, stored } = route;
  return (
    <Form action={`${CHANNELS_PATH}/routes`} stored={versioned({ mode, entries: stored ?? [] })}>
      <input type="hidden" name="channel" value={channel} />
      <input type="hidden" name="country" value={country} />
      {children}
    </Form>
  );
}

/** Returns the providers that can be added to the route. */
const missingFrom = ({ route, channel, providers }: RouteProps): readonly ProviderView[] =>
  route.entries.length >= MAX_ROUTE_LENGTH
    ? []
    : providers.filter(
        ({ id, enabled, channels }) =>
          enabled && channels.includes(channel) && !route.entries.some(({ provider }) => provider === id),
      );

function AddToRoute(props: RouteProps) {
  const missing = missingFrom(props);
  if (missing.length === 0) return null;
  return (
    <RouteForm {...props}>
      <div class="with-button">
        <select name="provider" aria-label="Provider to add">
          {missing.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <button class="button subtle small" name="change" value="add">
          Add to the route
        </button>
      </div>
    </RouteForm>
  );
}

interface NumbersProps {
  readonly change: 'weights' | 'prices';
  readonly title: string;
  readonly hint: string;
}

/** Returns the submitted weights or prices of this route; undefined if they were not rejected. */
const sentNumbers = ({ route: { country }, channel, form }: RouteProps): FormState | undefined =>
  form.typed.channel === channel && form.typed.country === country ? form : undefined;

/** Sets a number for each provider: its weight, or its price in an automatic route. */
function Numbers(props: RouteProps & NumbersProps) {
  const { route, channel, providers, change, title, hint } = props;
  const { country, entries } = route;
  const fieldOf = change === 'weights' ? weightField : priceField;
  const sent = sentNumbers(props);
  const firstWrong = entries.find(({ provider: id }) => sent?.errors[fieldOf(id)])?.provider;
  return (
    <RouteForm {...props}>
      <div>
        <p class="strong">{title}</p>
        <p class="hint">{hint}</p>
      </div>
      <div class="columns three">
        {entries.map(({ provider: id, weight, price }) => {
          const inputId = `${channel}-${country}-${id}`;
          const problem = sent?.errors[fieldOf(id)];
          return (
            <div class="field" key={id}>
              <label for={inputId}>{providerName(providers, id)}</label>
              <input
                id={inputId}
                name={fieldOf(id)}
                value={sent?.typed[fieldOf(id)] ?? weight ?? price ?? ''}
                type="text"
                inputMode={change === 'weights' ? 'numeric' : 'decimal'}
                autocomplete="off"
                maxLength={change === 'weights' ? 4 : 11}
                autofocus={id === firstWrong}
                aria-invalid={problem !== undefined || undefined}
                aria-describedby={problem && `${inputId}-error`}
              />
              {problem && (
                <p class="problem" id={`${inputId}-error`}>
                  {problem}
                </p>
              )}
            </div>
          );
        })}
      </div>
      <div class="actions">
        <button class="button subtle small" name="change" value={change}>
          Save the {change}
        </button>
      </div>
    </RouteForm>
  );
}

const WEIGHTS: NumbersProps = {
  change: 'weights',
  title: 'Split messages by weight',
  hint: 'With the weights 70 and 30, the first provider gets 70% of the messages. Leave all weights empty to try the providers in their order.',
};
const PRICES: NumbersProps = {
  change: 'prices',
  title: 'Prefer the cheaper of equally good providers',
  hint: 'Enter what a message costs with each provider. These prices are only compared with each other. Usage and daily budgets use the prices of the channel.',
};
const AUTOMATIC_HINT =
  'The provider whose codes are entered most often gets most of the messages. The others get enough messages to be compared. If no codes are entered, delivery reports decide. Providers are compared separately for each country.';

function optionsTitle(props: RouteProps): string {
  const { mode, entries } = props.route;
  if (entries.length > 1) return mode === 'automatic' ? 'Prices and fixed order' : 'Weights and automatic order';
  return missingFrom(props).length > 0 ? 'Add a fallback' : 'Change the route';
}

/** Settings that few routes need. They are open if the route uses them. */
function RouteOptions(props: RouteProps) {
  const { route, channel, isOnly } = props;
  const { country, mode, stored, entries } = route;
  const isAutomatic = mode === 'automatic';
  const isOpen = isAutomatic || sentNumbers(props) || entries.some(({ weight }) => weight !== undefined);
  const title = optionsTitle(props);
  return (
    <details open={Boolean(isOpen)}>
      <summary aria-label={`${title} for ${routeName(country, channel, !isOnly)}`}>{title}</summary>
      <div class="stack">
        <AddToRoute {...props} />
        <RouteForm {...props}>
          {isAutomatic && <p class="hint">{AUTOMATIC_HINT}</p>}
          <div class="actions">
            {entries.length > 1 && (
              <button class="button subtle small" name="change" value={isAutomatic ? 'ordered' : 'automatic'}>
                {isAutomatic ? 'Use a fixed order' : 'Choose the best provider automatically'}
              </button>
            )}
            {stored !== undefined && (
              <button class="button subtle small" name="change" value="reset">
                {country === ANY_COUNTRY
                  ? 'Reset to the default order'
                  : `Remove the route for ${countryName(country)}`}
              </button>
            )}
          </div>
        </RouteForm>
        {entries.length > 1 && <Numbers {...props} {...(isAutomatic ? PRICES : WEIGHTS)} />}
      </div>
    </details>
  );
}

export function Route(props: RouteProps) {
  const { route, channel, isOnly, providers } = props;
  const { country, mode, stored, entries, scores } = route;
  const mayChange = useVisit().may('own');
  const tried = entries.filter(({ provider }) => {
    const found = providers.find(({ id }) => id === provider);
    return found?.enabled && found.verified;
  });
  const hasOptions = mayChange && (entries.length > 1 || stored !== undefined || missingFrom(props).length > 0);
  return (
    <div class="route">
      <RouteForm {...props}>
        <h3>{capitalized(routeName(country, channel, !isOnly))}</h3>
        <ol class="plain-list">
          {entries.map((entry, position) => {
            const provider = providers.find(({ id }) => id === entry.provider);
            const score = scores?.[position];
            const share = score ? scoreText(score, entry.price) : shareText(entry, tried);
            return (
              <Entry
                key={entry.provider}
                entry={entry}
                provider={provider}
                position={position}
                count={entries.length}
                isAutomatic={mode === 'automatic'}
                share={share}
              />
            );
          })}
        </ol>
      </RouteForm>
      {hasOptions && <RouteOptions {...props} />}
    </div>
  );
}
