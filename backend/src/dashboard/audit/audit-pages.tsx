import type { AuditService } from '../../modules/audit/audit-service.js';
import type { AuditAction, AuditEntry, Change } from '../../modules/audit/audit.js';
import { LIMITS } from '../../modules/applications/application-limits.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { ProvidersService } from '../../modules/providers/providers-service.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { countryName } from '../../modules/recipients/country.js';
import { isOff, zeroName, type BoundedSetting } from '../../modules/settings/bounded-setting.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { sentence } from '../channels/labels.js';
import { Field, Select, type Choice } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { labelsOf } from '../components/setting-fields.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { DAY, isoTime, utcDay, type Clock } from '../../platform/clock.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import { filledForm } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { parseDay } from '../usage/period.js';
import { file, page, show, type PageRoute, type Visit } from '../page.js';

const PAGE_SIZE = 25;
/** Number of entries that an export reads per query. */
const EXPORT_CHUNK = 500;

const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  'account.create': 'created the account',
  'account.status': 'changed the status of the account',
  'account.update': 'changed the name, the time zone or the branding of the account',
  'account.ceilings': 'changed the limits of the account',
  'application.create': 'created an application',
  'application.update': 'changed an application',
  'application.allow-list': 'changed an allow-list',
  'application.widget': 'changed the widget design',
  'application.rotate-secret': 'created a new App Secret',
  'application.end-old-secret': 'revoked an old App Secret',
  'application.delete': 'deleted an application',
  'application.restore': 'restored a deleted application',
  'application.erase': 'erased a deleted application',
  'message.cancel': 'canceled a scheduled message',
  'message.retry': 'sent a failed message again',
  'message.test': 'sent a test code',
  'suppression.import': 'added email addresses to the suppression list',
  'suppression.remove': 'removed an email address from the suppression list',
  'recipient.erase': 'erased a recipient',
  'two-factor.reset': "turned off a user's two-factor",
  'user.end-sessions': "ended a user's sessions",
  'user.unlock': 'unlocked a user',
  'fraud.settings': 'changed the fraud guard settings',
  'fraud.pause': 'paused messages',
  'fraud.resume': 'resumed paused messages',
  'fraud.allow': 'allowed messages',
  'webhook.create': 'created a webhook',
  'webhook.remove': 'deleted a webhook',
  'webhook.change': 'changed the events of a webhook',
  'webhook.pause': 'paused a webhook',
  'webhook.resume': 'resumed a webhook',
  'webhook.rotate-secret': 'created a new secret for a webhook',
  'webhook.test': 'sent a test event',
  'webhook.resend': 'sent an event again',
  'hook.create': 'connected a shop',
  'hook.secret': 'changed the secret of a connected shop',
  'hook.remove': 'disconnected a shop',
  'automation.create': 'added an automation',
  'automation.change': 'changed an automation',
  'automation.remove': 'deleted an automation',
  'provider.add': 'added a provider',
  'provider.change': 'changed a provider',
  'provider.remove': 'deleted a provider',
  'provider.check': 'checked the credentials of a provider',
  'provider.test': 'sent a test message through a provider',
  'route.change': 'changed a route',
  'price.change': 'changed prices',
  'account.providers': 'changed whether the account may add providers',
  'template.set': 'saved a custom text',
  'template.reset': 'restored a built-in text',
  'template.test': 'sent a test message',
  'management-key.create': 'created an API key',
  'management-key.revoke': 'revoked an API key',
  'person.invite': 'invited someone',
  'person.take-back': 'revoked an invitation',
  'person.join': 'joined',
  'person.role': 'changed a role',
  'person.remove': 'removed someone',
  'person.sign-in': 'signed in',
  'person.sign-in-failed': 'failed to sign in',
  'person.sign-in-link': 'created a sign-in link',
  'person.sign-out-everywhere': 'signed out everywhere',
  'person.passkey-add': 'added a passkey',
  'person.passkey-remove': 'removed a passkey',
  'person.two-factor-on': 'turned on the authenticator',
  'person.two-factor-off': 'turned off the authenticator',
  'upgrade-notice.dismiss': 'dismissed the upgrade notice',
};

/** Names of settings on their pages. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  ...labelsOf(LIMITS),
  ...Object.fromEntries(Object.entries(labelsOf(FRAUD_THRESHOLDS)).map(([name, label]) => [`fraud ${name}`, label])),
  countries: 'Allowed countries',
  servedCountries: 'Countries that you serve',
  twoFactorWidget: 'Two-factor widget',
  strictTwoFactor: 'Strict mode of the two-factor widget',
  verifiedElsewhere: 'Your site checks the codes itself',
  silentSeconds: 'Send a silent code another way after seconds',
  webOtpHost: 'Site for autofill',
  androidAppHash: 'Android app for autofill',
};

/** Returns the name of a setting, or its words: `graceHours` → `grace hours`. Returns IDs unchanged. */
const wordsOf = (name: string): string =>
  /[\da-f]{32}$/.test(name)
    ? name
    : (SETTING_NAMES[name] ??
      name
        .replace(/^country ([A-Z]{2})$/, (_, country: string) => countryName(country))
        .replace(/(?<=[a-z\d])[A-Z]|(?<=[a-z])\d/g, (start) => ` ${start.toLowerCase()}`));

/** More changes are behind a summary, so that an entry does not fill the screen. */
const SHOWN_CHANGES = 4;

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
  return limit && value === '0' && isOff(limit, 0) ? zeroName(limit) : (YES_NO[value] ?? value);
}

const withWords = (changes: readonly Change[]): readonly Change[] =>
  changes.map(({ name, before, after }) => ({
    name: wordsOf(name),
    before: valueText(name, before),
    after: valueText(name, after),
  }));

function ChangeList({ entry: { changes } }: { entry: AuditEntry }) {
  if (changes.length === 0) return <span class="quiet none">–</span>;
  const list = (
    <ul class="changes">
      {withWords(changes).map(({ name, before, after }) => (
        <li key={name}>
          {valueOf(name)}: {before !== '' && <del>{valueOf(before)}</del>} <ins>{valueOf(after || 'none')}</ins>
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

const retentionText = (days: number): string => (days > 0 ? `deleted after ${days} days` : 'stored forever');

const urlOf = (path: string, parameters: Filters & { readonly before?: string }): string =>
  `/dashboard/audit${path}?${new URLSearchParams(parameters)}`;

/** Shows only the entries with this person or target. */
const FilterLink = ({ text, label = text }: { readonly text: string; readonly label?: string }) => (
  <a class="filter-link" href={urlOf('', { text })} title="Show only these entries">
    {label}
  </a>
);

/** Returns a target in words: `SMS DE` → `SMS, Germany` for a route. */
const subjectText = (action: AuditAction, subject: string): string =>
  action !== 'route.change'
    ? subject
    : subject.replace(/^([A-Z]+) (\*|[A-Z]{2})$/, (_, channel: ChannelName, country: string) =>
        [CHANNEL_NAMES[channel], country === ANY_COUNTRY ? 'all other countries' : countryName(country)].join(', '),
      );

/** Replaces the IDs of the account's providers by their names. */
function withProviderNames(entry: AuditEntry, providers: readonly Pick<ProviderView, 'id' | 'name'>[]): AuditEntry {
  const named = (text: string) => providers.reduce((shown, { id, name }) => shown.replaceAll(id, name), text);
  const changes = entry.changes.map(({ name, before, after }) => ({
    name,
    before: named(before),
    after: named(after),
  }));
  return { ...entry, changes };
}

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'When', cell: ({ createdAt }) => <Time ms={createdAt} /> },
  { title: 'Who', cell: ({ actor }) => <FilterLink text={actor} /> },
  // A newer version may have recorded other actions, before an operator went back to this one.
  { title: 'Action', cell: ({ action }) => ACTION_LABELS[action] ?? action },
  {
    title: 'Target',
    cell: ({ actor, action, subject }) =>
      actor === subject ? (
        <span class="quiet">themselves</span>
      ) : (
        <FilterLink text={subject} label={subjectText(action, subject)} />
      ),
  },
  { title: 'Changes', cell: (entry) => <ChangeList entry={entry} /> },
];

const FILTERS = ['text', 'action', 'from', 'to'] as const;
type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

/** Returns the filters of a URL that are not empty. */
const filtersIn = (query: Visit['query']): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

/** Returns the start of a day in UTC, in epoch milliseconds; undefined if it is no day. */
function dayStart(day: string | undefined): number | undefined {
  const parsed = parseDay(day);
  return parsed === undefined ? undefined : Date.parse(parsed);
}

/** Returns the filter of the log. A text is searched in the person, the target, and the label of the action. */
function filterOf({ text, action, from, to }: Filters) {
  const words = text?.toLowerCase() ?? '';
  const found = Object.entries(ACTION_LABELS).filter(([, label]) => label.toLowerCase().includes(words));
  const last = dayStart(to);
  return {
    ...(text && { text, actions: found.map(([name]) => name as AuditAction) }),
    action: action as AuditAction | undefined,
    from: dayStart(from),
    to: last === undefined ? undefined : last + DAY,
  };
}

const changesText = ({ changes }: AuditEntry): string =>
  withWords(changes)
    .map(({ name, before, after }) => `${name}: ${before} → ${after}`)
    .join('; ');

const ACTION_CHOICES: readonly Choice[] = [
  { value: '', label: 'All actions' },
  ...Object.entries(ACTION_LABELS)
    .map(([value, label]) => ({ value, label: sentence(label).slice(0, -1) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en')),
];

function SearchForm({ filters }: { readonly filters: Filters }) {
  const form = filledForm(filters as Readonly<Record<string, string>>);
  return (
    <form method="get" action="/dashboard/audit" role="search" class="audit-filters">
      <Field form={form} name="text" label="Person or target" type="search" />
      <Select form={form} name="action" label="Action" choices={ACTION_CHOICES} />
      <Field form={form} name="from" label="From (UTC)" type="date" />
      <Field form={form} name="to" label="To (UTC)" type="date" />
      <div class="actions">
        <button class="button subtle">Find</button>
        {Object.keys(filters).length > 0 && (
          <a class="button subtle" href="/dashboard/audit">
            Show all
          </a>
        )}
      </div>
    </form>
  );
}

export function auditPages(audit: AuditService, providers: ProvidersService, clock: Clock): readonly PageRoute[] {
  async function list({ actor, person, query }: Visit) {
    const filters = filtersIn(query);
    const { before } = query;
    const last = /^\d{1,15}$/.test(before ?? '') ? Number(before) : undefined;
    const entries = await audit.list(person.accountId, { ...filterOf(filters), before: last, limit: PAGE_SIZE + 1 });
    const known = await providers.list(actor, person.accountId);
    const pageEntries = entries.slice(0, PAGE_SIZE).map((entry) => withProviderNames(entry, known));
    return page(
      'Audit log',
      <>
        <PageHead
          title="Audit log"
          lead={`Every change and sign-in, with the previous values. Entries are ${retentionText(audit.retentionDays)}.`}
        >
          <a class="button subtle" href={urlOf('/export', filters)} download>
            Export as CSV
          </a>
        </PageHead>
        <SearchForm filters={filters} />
        {pageEntries.length === 0 ? (
          <EmptyState title={Object.keys(filters).length === 0 ? 'No entries' : 'No matching entries'}>
            {Object.keys(filters).length === 0
              ? 'Changes and sign-ins by you and others appear here.'
              : 'Change the filters, or show all entries.'}
          </EmptyState>
        ) : (
          <div class="audit-log compact">
            <Table
              caption="Audit log, newest first"
              columns={AUDIT_COLUMNS}
              rows={pageEntries}
              keyOf={({ id }) => id}
            />
          </div>
        )}
        <Pager
          latest={last !== undefined && urlOf('', filters)}
          older={entries.length > PAGE_SIZE && urlOf('', { ...filters, before: String(pageEntries.at(-1)!.id) })}
        />
      </>,
    );
  }

  function exportEntries({ person, query }: Visit) {
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(['When', 'Who', 'Action', 'Target', 'Changes']);
      let before: number | undefined;
      do {
        const entries = await audit.list(person.accountId, {
          ...filterOf(filtersIn(query)),
          before,
          limit: EXPORT_CHUNK,
        });
        for (const entry of entries) {
          const { createdAt, actor, action, subject } = entry;
          yield csvLine([isoTime(createdAt), actor, ACTION_LABELS[action] ?? action, subject, changesText(entry)]);
        }
        before = entries.length === EXPORT_CHUNK ? entries.at(-1)!.id : undefined;
      } while (before !== undefined);
    }
    return file(`passbell-audit-${utcDay(clock.now())}.csv`, 'text/csv; charset=utf-8', lines());
  }

  return [show('/audit', 'own', list), show('/audit/export', 'own', exportEntries)];
}
