/** The entries of the audit log: a sentence for each change, below its day. */
import { LIMITS } from '../../modules/applications/application-limits.js';
import type { AuditEntry, Change } from '../../modules/audit/audit.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { countryName } from '../../modules/recipients/country.js';
import { isOff, zeroName, type BoundedSetting } from '../../modules/settings/bounded-setting.js';
import { isNotification, templateLabel } from '../../modules/templates/template.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { Breakable } from '../components/breakable.js';
import { useNow } from '../components/context.js';
import { labelsOf } from '../components/setting-fields.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { sentenceParts, targetPath, targetText, type Targets } from './actions.js';

/** Names of settings on their pages. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  ...labelsOf(LIMITS),
  ...Object.fromEntries(Object.entries(labelsOf(FRAUD_THRESHOLDS)).map(([name, label]) => [`fraud ${name}`, label])),
  countries: 'Allowed countries',
  servedCountries: 'Countries that you serve',
  twoFactorWidget: 'Two-factor widget',
  strictTwoFactor: 'Strict mode of the two-factor widget',
  verifiedElsewhere: 'Your site checks the codes itself',
  silentSeconds: 'Seconds until a silent code is sent another way',
  webOtpHost: 'Site for autofill',
  androidAppHash: 'Android app for autofill',
  url: 'URL',
};

/** Returns the message and the event of an automation: `paid: order_shipped` → `Order shipped (event: paid)`. */
const automationText = (text: string): string =>
  text.replace(/^([\w.:/-]+): ([a-z_]+)$/, (_, event: string, template: string) =>
    isNotification(template) ? `${templateLabel(template)} (event: ${event})` : text,
  );

/** Returns the name of a setting, or its words: `graceHours` → `grace hours`. IDs are those of webhooks and shops. */
function wordsOf(name: string): string {
  const isId = /[\da-f]{32}$/.test(name);
  return isId
    ? `${name.startsWith('WHK-') ? 'webhook' : 'shop'} ${name}`
    : (SETTING_NAMES[name] ??
        automationText(name)
          .replace(/^country ([A-Z]{2})$/, (_, country: string) => countryName(country))
          .replace(/(?<=[a-z\d])[A-Z]|(?<=[a-z])\d/g, (start) => ` ${start.toLowerCase()}`)
          .replace(/\bid\b/, 'ID'));
}

/** More changes are behind a summary, so that an entry does not fill the screen. */
const SHOWN_CHANGES = 3;

/** Captures ISO times and the ends of IDs, so that `split` returns them at odd positions. */
const TIMES_AND_IDS = /(\d{4}-\d{2}-\d{2}T[\d:.]+Z|(?<=[\da-f]{8})[\da-f]{24})/;

/** Shows times in the person's time zone, and the first 8 digits of IDs. The export contains the whole IDs. */
const valueOf = (text: string) =>
  text.split(TIMES_AND_IDS).map((part, position) => {
    if (position % 2 === 0) return part;
    return part.endsWith('Z') ? <Time ms={Date.parse(part)} /> : '…';
  });

const YES_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** Returns a value in words: the names of countries and channels, and `off` for a limit of 0. */
function valueText(name: string, value: string): string {
  if (name === 'countries' || name === 'servedCountries')
    return value.split(', ').filter(Boolean).map(countryName).join(', ');
  if (name === 'channels')
    return value.replace(/[A-Z]+/g, (channel) => CHANNEL_NAMES[channel as ChannelName] ?? channel);
  const limit = LIMITS[name as keyof typeof LIMITS] as BoundedSetting | undefined;
  return limit && value === '0' && isOff(limit, 0) ? zeroName(limit) : (YES_NO[value] ?? automationText(value));
}

export const withWords = (changes: readonly Change[]): readonly Change[] =>
  changes.map(({ name, before, after }) => ({
    name: wordsOf(name),
    before: valueText(name, before),
    after: valueText(name, after),
  }));

/** Replaces the IDs of the account's providers by their names. */
export function withProviderNames(entry: AuditEntry, { providers }: Pick<Targets, 'providers'>): AuditEntry {
  const named = (text: string) => providers.reduce((shown, { id, name }) => shown.replaceAll(id, name), text);
  const changes = entry.changes.map(({ name, before, after }) => ({
    name,
    before: named(before),
    after: named(after),
  }));
  return { ...entry, changes };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function ChangeList({ entry: { changes } }: { entry: AuditEntry }) {
  if (changes.length === 0) return <span class="none" />;
  const list = (
    <ul class="changes">
      {withWords(changes).map(({ name, before, after }) => (
        <li key={name}>
          <span class="quiet">{valueOf(capitalized(name))}:</span>{' '}
          {before !== '' && (
            <>
              <del>{valueOf(before)}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins>{valueOf(after || 'none')}</ins>
        </li>
      ))}
    </ul>
  );
  if (changes.length <= SHOWN_CHANGES) return list;
  return (
    <details class="small">
      <summary>{changes.length} changes</summary>
      {list}
    </details>
  );
}

/** Names of actors that are no people. */
const ACTOR_NAMES: Readonly<Record<string, string>> = { operator: 'Operator', 'someone not signed in': 'Someone' };

interface EntriesProps {
  readonly entries: readonly AuditEntry[];
  readonly targets: Targets;
  readonly timeZone: string;
  /** Returns the page with the entries about a person. */
  readonly urlOfActor: (actor: string) => string;
}

function Sentence({ entry, targets, urlOfActor }: Omit<EntriesProps, 'entries'> & { readonly entry: AuditEntry }) {
  const { actor } = entry;
  const [before, after] = sentenceParts(entry);
  const path = targetPath(entry, targets);
  const target = <Breakable text={targetText(entry)} />;
  return (
    <>
      <a class="actor" href={urlOfActor(actor)} title="Show only these entries">
        <Breakable text={ACTOR_NAMES[actor] ?? actor} />
      </a>{' '}
      {before}
      {after !== undefined && (path ? <a href={path}>{target}</a> : <strong>{target}</strong>)}
      {after}
    </>
  );
}

/** Returns the columns of a day. Times are those of the account, like the days. */
const columnsOf = (props: Omit<EntriesProps, 'entries'>): readonly Column<AuditEntry>[] => [
  {
    title: 'Time',
    cell: ({ createdAt }) => <time class="quiet">{localText(createdAt, props.timeZone).slice(11)}</time>,
  },
  { title: 'Change', cell: (entry) => <Sentence entry={entry} {...props} /> },
  { title: 'Details', cell: (entry) => <ChangeList entry={entry} /> },
];

const DAY_NAME = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const THIS_YEAR = new Intl.DateTimeFormat('en-GB', DAY_NAME);
const OTHER_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY_NAME, year: 'numeric' });

function dayName(day: string, today: string): string {
  if (day === today) return 'Today';
  if (day === dayBefore(today, 1)) return 'Yesterday';
  return (day.slice(0, 4) === today.slice(0, 4) ? THIS_YEAR : OTHER_YEAR).format(Date.parse(day));
}

export function Entries({ entries, ...props }: EntriesProps) {
  const dayOf = ({ createdAt }: Pick<AuditEntry, 'createdAt'>) => localDay(createdAt, props.timeZone);
  const today = dayOf({ createdAt: useNow() });
  return (
    <>
      {groupBy(entries, dayOf).map((ofDay) => {
        const day = dayOf(ofDay[0]!);
        return (
          <section key={day} class="audit-day" aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`}>{dayName(day, today)}</h2>
            <Table
              caption={`Changes of ${dayName(day, today)}, newest first`}
              columns={columnsOf(props)}
              rows={ofDay}
              keyOf={({ id }) => id}
            />
          </section>
        );
      })}
    </>
  );
}
