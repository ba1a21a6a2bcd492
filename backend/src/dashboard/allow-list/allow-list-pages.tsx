import { EditConflictError } from '../../modules/access/actor.js';
import { isAuthorized, originOf } from '../../modules/applications/allow-list.js';
import { mayHaveManyOwners } from '../../modules/applications/allow-list-entry.js';
import type { Application } from '../../modules/applications/application.js';
import { Card } from '../components/card.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { ConfirmationBox, Form, FormProblems, TextArea } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { CONFIRMED, filledForm, isCurrent, readForm, textOf, type FormState } from '../form.js';
import { versionOf } from '../../platform/crypto.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, fragment, page, redirect, showForApplication } from '../page.js';
import { CallerCheck, CALLER_CHECK_ID, CallerCheckResult } from './check.js';
import { ENTRY_LENGTH, readEntries, entriesText, withEntry } from './entries.js';
import { REJECTED_ID, RejectedCallersSection } from './rejected.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/allow-list`;

const entriesOf = ({ settings }: Application): readonly string[] => settings.authorizedEndpoints;

const EMPTY_NOTICE = (
  <Notice kind="info">
    <strong>The list is empty, so all sites and servers are allowed.</strong> Sending messages still needs your App
    Secret. The two-factor widget needs it only in strict mode.
  </Notice>
);

const EXAMPLES: readonly FactEntry[] = [
  ['Your site', <code>https://shop.example</code>],
  ['All its subdomains', <code>*.shop.example</code>],
  ['Your server', <code>203.0.113.7</code>],
  ['A network', <code>203.0.113.0/24</code>],
];

function EntriesCard({ at, form, entries }: { at: string; form: FormState; entries: readonly string[] }) {
  const mayChange = useVisit().may('change');
  return (
    <Card
      beside
      id="entries-title"
      title="Allowed sites and servers"
      lead="Once the list has an entry, requests from sites and servers that match no entry are rejected."
    >
      <Form action={at} stored={entries} form={form}>
        <TextArea
          form={form}
          name="entries"
          label="Entries, one per line"
          hint="A site or server needs to match only one entry. If you use Zapier, leave the list empty: Zapier has no fixed IP addresses."
          rows={Math.min(16, Math.max(5, entries.length + 2))}
          class="code"
          readOnly={!mayChange}
          autocapitalize="none"
          spellcheck={false}
        />
        <ConfirmationBox
          form={form}
          label={form.typed.entries === '' ? 'Allow all sites and servers' : 'All these sites are mine'}
        />
        {mayChange && <Submit label="Save" kind="saved-by-bar" />}
      </Form>
      <div class="field">
        <h3>Examples of entries</h3>
        <Facts small facts={EXAMPLES} />
      </div>
    </Card>
  );
}

/** Returns the effects of a change, one on each line; "" if it needs no confirmation. */
function effectsOf(before: readonly string[], after: readonly string[]): string {
  if (before.length > 0 && after.length === 0)
    return 'If you save, all sites and servers can use this application. Sending messages still needs your App Secret. The two-factor widget needs it only in strict mode.';
  return after
    .filter((entry) => mayHaveManyOwners(entry) && !before.includes(entry))
    .map((entry) => `${entry} allows every site that ends in ${entry.replace(/^.*\*/, '')}, whoever owns it.`)
    .join('\n');
}

function savedReply(application: Application, entries: readonly string[]): PageReply {
  const meaning =
    entries.length === 0 ? 'All sites and servers are now allowed.' : 'All other sites and servers are now rejected.';
  return redirect(pathOf(application), { notice: `Allow-list saved. ${meaning}` });
}

export const allowListPages = ({ applications }: Modules<'applications'>): readonly PageRoute[] => {
  const { rejectedCallers } = applications;

  async function wholePage(visit: ApplicationVisit, form: FormState, status = 200): Promise<PageReply> {
    const { application, query } = visit;
    const at = pathOf(application);
    const entries = entriesOf(application);
    const rejected = await rejectedCallers.list(application.id);
    return page(
      'Allow-list',
      <>
        <PageHead title="Allow-list" lead="Accept requests only from your site and your servers." />
        <FormProblems form={form} labels={{ entries: 'Entries' }} />
        {entries.length === 0 && EMPTY_NOTICE}
        <EntriesCard at={at} form={form} entries={entries} />
        <CallerCheck at={at} entries={entries} input={query.caller} />
        <RejectedCallersSection at={at} entries={entries} rejected={rejected} />
      </>,
      status,
    );
  }

  async function show(visit: ApplicationVisit): Promise<PageReply> {
    const { application, target, query } = visit;
    const entries = entriesOf(application);
    if (target === CALLER_CHECK_ID)
      return fragment(<CallerCheckResult at={pathOf(application)} entries={entries} input={query.caller} />);
    if (target === REJECTED_ID) {
      const rejected = await rejectedCallers.list(application.id);
      return fragment(<RejectedCallersSection at={pathOf(application)} entries={entries} rejected={rejected} />);
    }
    return wholePage(visit, filledForm({ entries: entriesText(entries) }));
  }

  const store = (
    { application, actor }: ApplicationVisit,
    entries: readonly string[],
    isExpected: (stored: readonly string[]) => boolean,
  ) =>
    applications.service.update(
      actor,
      application.appKey,
      { settings: { authorizedEndpoints: entries } },
      ({ settings }) => isExpected(settings.authorizedEndpoints),
    );

  async function conflict(visit: ApplicationVisit, typed: readonly string[]): Promise<PageReply> {
    const { application, body } = visit;
    const stored = await applications.service.load(application.appKey);
    const at = pathOf(application);
    const now = entriesOf(stored);
    // A double click on “Save” posts the same list twice, which is not a conflict.
    if (versionOf(now) === versionOf(typed)) return savedReply(application, typed);
    const field = { name: 'entries', label: 'Entries', stored: now.join(', '), typed: typed.join(', ') };
    const conflictProps = { what: `the allow-list of ${application.name}`, action: at, back: at, body, stored: now };
    return page('Allow-list', <Conflict {...conflictProps} fields={[field]} />, 409);
  }

  async function save(visit: ApplicationVisit): Promise<PageReply> {
    const { application, body } = visit;
    const read = readForm({ entries: readEntries }, body);
    if (!read.ok) return wholePage(visit, read.state, 422);
    const { entries } = read.values;
    const effects = effectsOf(entriesOf(application), entries);
    if (effects && textOf(body, CONFIRMED) !== 'yes')
      return wholePage(visit, { ...read.state, errors: { [CONFIRMED]: effects } }, 422);
    try {
      await store(visit, entries, (stored) => isCurrent(body, stored));
    } catch (error) {
      if (error instanceof EditConflictError) return conflict(visit, entries);
      throw error;
    }
    return savedReply(application, entries);
  }

  /**
   * Adds an entry for a caller. Changes nothing if the caller is already accepted: adding the first entry to an empty
   * list would reject all other callers.
   */
  async function allow(visit: ApplicationVisit): Promise<PageReply> {
    const { application, body } = visit;
    const entry = textOf(body, 'entry').trim();
    const at = pathOf(application);
    const entries = entriesOf(application);
    const read = readForm({ entry: (text) => withEntry(entries, text) }, body);
    if (!read.ok) {
      const errors = { entries: read.state.errors.entry! };
      return wholePage(visit, filledForm({ entries: entriesText(entries) }, errors), 422);
    }
    const caller = { origin: originOf(entry) ?? `https://${entry}`, ip: entry };
    try {
      const version = versionOf(entries);
      if (!isAuthorized(entries, caller))
        await store(visit, read.values.entry, (stored) => versionOf(stored) === version);
    } catch (error) {
      if (error instanceof EditConflictError)
        return redirect(at, {
          problem:
            'The list was changed at the same time, by you in another tab or by someone else. Check it and try again.',
        });
      throw error;
    }
    return redirect(at, { notice: `${entry.slice(0, ENTRY_LENGTH)} is now allowed.` });
  }

  return [
    showForApplication('/allow-list', 'read', show),
    actOnApplication('/allow-list', 'change', save),
    actOnApplication('/allow-list/allow', 'change', allow),
  ];
};
