import type { Application } from '../../modules/applications/application.js';
import type { VisibleState } from '../../modules/messages/message.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import { ruleText } from '../../modules/fraud/fraud-texts.js';
import { countryName } from '../../modules/recipients/country.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { capitalized } from '../../platform/capitalized.js';
import { ActiveFilters, type ActiveFilter } from '../components/active-filters.js';
import { useNow, useTimeZone } from '../components/context.js';
import { Field, Form, FormProblems, Select } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { dateText } from '../components/time.js';
import { filledForm, type FormState } from '../form.js';
import { inState, urlOf, type MessageQuery } from './filter.js';
import { countText } from '../usage/figures.js';
import { CHANNEL_NAMES, STATE_LABELS } from './labels.js';
import { localText } from '../../platform/local-time.js';
import { spanText } from './time-span.js';

/** Higher numbers of messages are shown as `2,000+`. Counting more would delay the page. */
export const MAX_COUNT = 2000;

/** The number of messages of a state. There may be more if it is capped. */
export interface StateCount {
  readonly count: number;
  readonly isCapped: boolean;
}

export type StateCounts = ReadonlyMap<VisibleState, StateCount>;

/** `302`, `2,000+` */
const countLabel = ({ count, isCapped }: StateCount): string => `${countText(count)}${isCapped ? '+' : ''}`;

interface StateLinksProps {
  readonly query: MessageQuery;
  readonly counts: StateCounts;
}

/** Links that filter the list by state, for the states that its messages have. */
export function StateLinks({ query, counts }: StateLinksProps) {
  // The filters by reason apply to one state only. Messages to one country are not counted.
  const isCounted = query.reason === undefined && !query.withoutCode && query.country === undefined;
  const link = (state: VisibleState | undefined, label: string) => ({
    href: urlOf('/messages', inState(query, state)),
    label,
    count: isCounted && state && counts.get(state)?.count ? countLabel(counts.get(state)!) : undefined,
    kind: state && STATE_LABELS[state].kind !== 'neutral' ? STATE_LABELS[state].kind : undefined,
    current: query.state === state,
    title: state && STATE_LABELS[state].meaning,
  });
  const states = (Object.keys(STATE_LABELS) as VisibleState[]).filter(
    (state) => counts.get(state)?.count || state === query.state,
  );
  const links = states.map((state) => link(state, STATE_LABELS[state].name));
  if (links.length === 0) return null;
  return <LinkNav class="pills" label="State" links={[link(undefined, 'All'), ...links]} currentAs="true" />;
}

/** Why not all refused messages are stored. */
export const STORED_PART = `Passbell stores at most ${MAX_STORED_PER_HOUR} refused messages an hour for each application, and one a minute for each recipient and reason.`;

/** Returns `120 of 432 are stored.`, and why not all are; "" if all are. `unlisted`: the number of counted messages that are not stored. */
export function listedText(all: StateCount, unlisted: number): string {
  const listed = countLabel({ count: all.count - unlisted, isCapped: all.isCapped });
  return unlisted === 0
    ? ''
    : `${listed} of ${countLabel(all)} ${listed === '1' ? 'is' : 'are'} stored. ${STORED_PART}`;
}

/**
 * Returns the form state for the current filters. The recipient field is empty, because the URL contains the recipient
 * only in sealed form.
 */
export function formOf({ channel, application, reference, from, until, zone }: MessageQuery): FormState {
  const text = (ms: number | undefined) => (ms === undefined ? '' : localText(ms, zone));
  return filledForm({
    channel: channel ?? '',
    application: application ?? '',
    reference: reference ?? '',
    from: text(from),
    until: text(until),
  });
}

interface SearchProps {
  readonly query: MessageQuery;
  readonly form: FormState;
  readonly applications: readonly Application[];
  readonly recipient: string | undefined;
  /** The reason of the listed messages. It names the filter by reason. */
  readonly reason: string | undefined;
}

/** Returns the choices for a filter. The first choice, `all`, matches everything. */
const filterChoices = (all: string, entries: readonly (readonly [value: string, label: string])[]) =>
  [['', all] as const, ...entries].map(([value, label]) => ({ value, label }));

const LABELS = { recipient: 'Recipient', reference: 'Reference', from: 'From', until: 'Until' };

interface RecipientSearchProps {
  readonly form: FormState;
  readonly name: string;
  readonly label?: string;
  /** Shown instead of the label, which only screen readers read. */
  readonly placeholder?: string;
}

/** A field for a recipient, with a button that finds the entries. */
export const RecipientSearch = ({
  form,
  name,
  label = LABELS.recipient,
  placeholder = 'Phone or email',
}: RecipientSearchProps) => (
  <div class="search-line">
    <Field
      form={form}
      name={name}
      label={label}
      type="search"
      autoComplete="off"
      inputMode="email"
      placeholder={placeholder}
    />
    <button class="button subtle">Find</button>
  </div>
);

const NO_TIME = { until: undefined, zone: undefined };

/** `Today, 02:10–02:29` */
function timeLabel({ from, until }: MessageQuery, now: number, zone: string): string | undefined {
  if (from !== undefined && until !== undefined) return spanText(from, until, now, zone);
  if (from !== undefined) return `From ${dateText(from, zone)}`;
  return until === undefined ? undefined : `Until ${dateText(until, zone)}`;
}

/** The filters of the query except the state, with the pages without them. */
function activeFilters(
  query: MessageQuery,
  applications: readonly Application[],
  { recipient, reason: reasonText = 'This reason' }: Pick<SearchProps, 'recipient' | 'reason'>,
  now: number,
  zone: string,
): readonly ActiveFilter[] {
  const { channel, application, reference, country, rule, reason, withoutCode } = query;
  const names: { readonly [name in keyof MessageQuery]: string | undefined } = {
    from: timeLabel(query, now, zone),
    sealedRecipient: recipient && maskRecipient(recipient),
    channel: channel && CHANNEL_NAMES[channel],
    application: application && (applications.find(({ appKey }) => appKey === application)?.name ?? application),
    reference: reference && `Reference ${reference}`,
    country: country && countryName(country),
    rule: rule && ruleText(rule),
    reason: reason && capitalized(reasonText),
    withoutCode: withoutCode && 'People who entered no code',
  };
  return Object.entries(names).flatMap(([filter, name]) =>
    name
      ? [{ name, href: urlOf('/messages', { ...query, [filter]: undefined, ...(filter === 'from' && NO_TIME) }) }]
      : [],
  );
}

/** The filters that limit the list, which can be removed. */
export function MessageFilters({ query, applications, ...names }: SearchProps) {
  const zone = query.zone ?? useTimeZone();
  const filters = activeFilters(query, applications, names, useNow(), zone);
  return <ActiveFilters filters={filters} clear={urlOf('/messages', { state: query.state })} />;
}

export function SearchForm(props: SearchProps) {
  const { query, form, applications } = props;
  const timeZone = useTimeZone();
  const { sealedRecipient, state, zone = timeZone } = query;
  const hasError = Object.keys(form.errors).length > 0;
  return (
    <Form action="/dashboard/messages/find" class="search">
      <FormProblems form={form} labels={LABELS} prevented="" />
      <input type="hidden" name="state" value={state ?? ''} />
      <input type="hidden" name="who" value={sealedRecipient ?? ''} />
      <input type="hidden" name="country" value={query.country ?? ''} />
      <input type="hidden" name="rule" value={query.rule ?? ''} />
      <input type="hidden" name="zone" value={zone} />
      <RecipientSearch form={form} name="recipient" />
      <details class="disclosure" open={hasError}>
        <summary class="button subtle">Filters</summary>
        <div class="card filter-panel">
          <div class="search-fields">
            <Select
              form={form}
              name="channel"
              label="Channel"
              choices={filterChoices('All channels', Object.entries(CHANNEL_NAMES))}
            />
            <Select
              form={form}
              name="application"
              label="Application"
              choices={filterChoices(
                'All applications',
                applications.map(({ appKey, name }) => [appKey, name]),
              )}
            />
            <Field form={form} name="reference" label={LABELS.reference} autoComplete="off" />
            <Field form={form} name="from" label={LABELS.from} type="datetime-local" />
            <Field form={form} name="until" label={LABELS.until} type="datetime-local" />
          </div>
          <div class="search-end">
            <p class="hint">Times are in {zone}.</p>
            <button class="button">Apply filters</button>
          </div>
        </div>
      </details>
      <MessageFilters {...props} />
    </Form>
  );
}
