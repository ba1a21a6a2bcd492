/** The account's page `/audit`: every change and sign-in, with filters, and as a CSV file. */
import type { AuditAction, AuditEntry } from '../../modules/audit/audit.js';
import { isoTime } from '../../platform/clock.js';
import { dayBefore, localDay, startOfLocalDay } from '../../platform/local-day.js';
import { ActiveFilters, type ActiveFilter } from '../components/active-filters.js';
import { Field, Select } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import { filledForm, statusOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import { file, page, show, type PageRoute, type Visit } from '../page.js';
import { LAST_BEFORE_FIRST, parseDay, reversedDays } from '../usage/period.js';
import { ACTION_CHOICES, ACTION_NAMES, actionLabel } from './actions.js';
import type { Application } from '../../modules/applications/application.js';
import { shopLabel } from '../automations/labels.js';
import { hostOf } from '../webhooks/labels.js';
import { changesInWords, withProviderNames } from './changes.js';
import { Entries } from './entries.js';

const PAGE_SIZE = 20;
/** Number of entries that an export reads per query. */
const EXPORT_CHUNK = 500;

function retentionText(days: number): string {
  if (days === 0) return 'stored forever';
  return days % 365 === 0 && days > 365
    ? `deleted after ${days / 365} years`
    : `deleted after ${days} ${days === 1 ? 'day' : 'days'}`;
}

const urlOf = (path: string, parameters: Filters & { readonly before?: string }): string =>
  `/dashboard/audit${path}?${new URLSearchParams(parameters)}`;

const FILTERS = ['text', 'action', 'from', 'to'] as const;
type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

const filtersIn = (query: Visit['query']): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

/** Returns the form with the filters, and with an error if the last day is before the first day. */
function formOf(filters: Filters): FormState {
  const typed = filters as FormState['typed'];
  return filledForm(typed, reversedDays(typed) ? { to: LAST_BEFORE_FIRST } : {});
}

/**
 * Returns the filter of the log. A text is searched in the person, the target, and the label of the action. Days are
 * those of the account's time zone.
 */
function filterOf({ text, action, from, to }: Filters, timeZone: string) {
  const words = text?.toLowerCase() ?? '';
  const startOf = (day: string | undefined, later = 0) =>
    day === undefined ? undefined : startOfLocalDay(dayBefore(day, -later), timeZone);
  return {
    ...(text && { text, actions: ACTION_NAMES.filter((name) => actionLabel(name).toLowerCase().includes(words)) }),
    action: action as AuditAction | undefined,
    from: startOf(parseDay(from)),
    to: startOf(parseDay(to), 1),
  };
}

const changesText = (entry: AuditEntry): string =>
  changesInWords(entry)
    .map(({ name, before, after }) => `${name}: ${before} → ${after}`)
    .join('; ');

/** The filters of the log, each with the page without it. */
function activeFilters(filters: Filters): readonly ActiveFilter[] {
  const names: Filters = {
    ...(filters.text && { text: `“${filters.text}”` }),
    ...(filters.action && {
      action: ACTION_CHOICES.find(({ value }) => value === filters.action)?.label ?? filters.action,
    }),
    ...(filters.from && { from: `From ${filters.from}` }),
    ...(filters.to && { to: `To ${filters.to}` }),
  };
  return Object.entries(names).map(([filter, name]) => {
    const others = Object.entries(filters).filter(([other]) => other !== filter);
    return { name, href: urlOf('', Object.fromEntries(others)) };
  });
}

const SearchForm = ({ form, filters }: { readonly form: FormState; readonly filters: Filters }) => (
  <form method="get" action="/dashboard/audit" role="search" class="search">
    <div class="search-line">
      <Field form={form} name="text" label="Person or changed item" type="search" />
      <button class="button subtle">Find</button>
    </div>
    <details class="disclosure" open={statusOf(form) !== 200}>
      <summary class="button subtle">Filters</summary>
      <div class="card filter-panel">
        <div class="search-fields">
          <Select
            form={form}
            name="action"
            label="Action"
            choices={[{ value: '', label: 'All actions' }, ...ACTION_CHOICES]}
          />
          <Field form={form} name="from" label="From" type="date" />
          <Field form={form} name="to" label="To" type="date" />
        </div>
        <div class="search-end">
          <button class="button">Apply filters</button>
        </div>
      </div>
    </details>
    <ActiveFilters filters={activeFilters(filters)} clear="/dashboard/audit" />
  </form>
);

type AuditModules = Modules<'applications' | 'audit' | 'automations' | 'clock' | 'providers' | 'webhooks'>;

export function auditPages({
  applications,
  audit: { service: audit },
  automations,
  providers,
  webhooks,
  clock,
}: AuditModules): readonly PageRoute[] {
  const timeZoneOf = ({ person }: Visit) => applications.profiles.timeZoneOf(person.accountId);

  /** Lists the entries with these filters, and one more than the page shows. */
  async function entriesOn(accountId: number, form: FormState, timeZone: string, before: number | undefined) {
    if (statusOf(form) !== 200) return [];
    return audit.list(accountId, { ...filterOf(form.typed, timeZone), before, limit: PAGE_SIZE + 1 });
  }

  /** Returns the names of the shops and webhooks that the account has now, if an entry contains their IDs. */
  async function namesFor(entries: readonly AuditEntry[], all: readonly Application[]) {
    if (!entries.some(({ changes }) => changes.some(({ name }) => /[\da-f]{32}$/.test(name)))) return [];
    const names = all.map(async (application) => [
      ...(await webhooks.service.list(application.id)).map(({ webhookId, url }) => ({
        id: webhookId,
        name: hostOf({ url }),
      })),
      ...(await automations.service.list(application)).map((shop) => ({ id: shop.publicId, name: shopLabel(shop) })),
    ]);
    return (await Promise.all(names)).flat();
  }

  async function list(visit: Visit) {
    const { actor, person, query } = visit;
    const filters = filtersIn(query);
    const form = formOf(filters);
    const last = /^\d{1,15}$/.test(query.before ?? '') ? Number(query.before) : undefined;
    const timeZone = await timeZoneOf(visit);
    const entries = await entriesOn(person.accountId, form, timeZone, last);
    const all = await applications.service.listInAccount(person.accountId);
    const targets = {
      applications: all,
      names: await namesFor(entries, all),
      providers: await providers.service.list(actor, person.accountId),
    };
    const pageEntries = entries.slice(0, PAGE_SIZE).map((entry) => withProviderNames(entry, targets));
    return page(
      'Audit log',
      <>
        <PageHead
          title="Audit log"
          lead={`Every change and sign-in. Entries are ${retentionText(audit.retentionDays)}. Times are in ${timeZone}.`}
        >
          <a class="button subtle" href={urlOf('/export', filters)} download>
            Export as CSV
          </a>
        </PageHead>
        <SearchForm form={form} filters={filters} />
        {pageEntries.length === 0 && statusOf(form) === 200 && (
          <EmptyState title={Object.keys(filters).length === 0 ? 'No entries' : 'No matching entries'}>
            {Object.keys(filters).length === 0
              ? 'Changes and sign-ins by you and others appear here.'
              : 'Change or clear the filters.'}
          </EmptyState>
        )}
        <Entries
          entries={pageEntries}
          targets={targets}
          timeZone={timeZone}
          urlOfActor={(text) => urlOf('', { text })}
        />
        <Pager
          latest={last !== undefined && urlOf('', filters)}
          older={entries.length > PAGE_SIZE && urlOf('', { ...filters, before: String(pageEntries.at(-1)!.id) })}
        />
      </>,
      statusOf(form),
    );
  }

  async function exportEntries(visit: Visit) {
    const { person, query } = visit;
    if (statusOf(formOf(filtersIn(query))) !== 200) return list(visit);
    const timeZone = await timeZoneOf(visit);
    const filter = filterOf(filtersIn(query), timeZone);
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(['When', 'Who', 'Action', 'Target', 'Changes']);
      let before: number | undefined;
      do {
        const entries = await audit.list(person.accountId, { ...filter, before, limit: EXPORT_CHUNK });
        for (const entry of entries) {
          const { createdAt, actor, action, subject } = entry;
          yield csvLine([isoTime(createdAt), actor, actionLabel(action), subject, changesText(entry)]);
        }
        before = entries.length === EXPORT_CHUNK ? entries.at(-1)!.id : undefined;
      } while (before !== undefined);
    }
    return file(`passbell-audit-${localDay(clock.now(), timeZone)}.csv`, 'text/csv; charset=utf-8', lines());
  }

  return [show('/audit', 'own', list), show('/audit/export', 'own', exportEntries)];
}
