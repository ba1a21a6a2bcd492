/** `/allow-list`: who may call as an application, and who was refused. */
import { isAuthorized, originOf } from '../../modules/applications/allow-list.js';
import type { Application } from '../../modules/applications/application.js';
import { StaleError } from '../../modules/applications/applications-service.js';
import { changesBetween } from '../../modules/audit/audit-service.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { FieldProblem, Form, FormProblems, TextArea } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { filledIn, isCurrent, readForm, textOf, versionOf, type FormState } from '../form.js';
import {
  actOnApplication,
  fragment,
  page,
  redirect,
  showOfApplication,
  type Answer,
  type ApplicationVisit,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { Check, CHECK_ID, CheckResult } from './check.js';
import { readEntries, shownEntries, withEntry } from './entries.js';
import { Refused, REFUSED_ID } from './refused.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/allow-list`;

const entriesOf = ({ settings }: Application): readonly string[] => settings.authorizedEndpoints;

function Meaning({ entries }: { entries: readonly string[] }) {
  if (entries.length > 0) return null;
  return (
    <Notice kind="info">
      <strong>The list is empty, so every caller is let in.</strong> That is right for servers and for Zapier, which
      call with the App Secret from changing addresses. For the two-factor widget, list the site that it is on: then no
      other page can use it.
    </Notice>
  );
}

/** Emptying the list opens it to everybody, which is not what an empty box looks like. */
function OpenToAll({ form }: { form: FormState }) {
  if (form.errors.open === undefined) return null;
  return (
    <div class="field wrong">
      <label class="choice">
        <input type="checkbox" name="open" value="yes" id="field-open" aria-describedby="field-open-error" />
        Let every caller in
      </label>
      <FieldProblem form={form} name="open" />
    </div>
  );
}

function Entries({ at, form, entries }: { at: string; form: FormState; entries: readonly string[] }) {
  const { may } = useVisit();
  const mayChange = may('change');
  return (
    <section class="card" aria-labelledby="entries-title">
      <h2 id="entries-title">Who may call</h2>
      <Form action={at} stored={entries}>
        <FormProblems form={form} />
        <TextArea
          form={form}
          name="entries"
          label="Entries, one a line"
          hint={
            <>
              Origins or hosts (<code>https://shop.example</code>), all hosts below one (<code>*.shop.example</code>),
              addresses and networks (<code>203.0.113.0/24</code>). One match of Origin, Referer or address is enough.
            </>
          }
          rows={Math.min(16, Math.max(5, entries.length + 2))}
          class="code"
          readOnly={!mayChange}
          autocapitalize="none"
          spellcheck={false}
        />
        <OpenToAll form={form} />
        {mayChange && (
          <div class="actions">
            <button class="button">Save the list</button>
          </div>
        )}
      </Form>
    </section>
  );
}

function saved(application: Application, entries: readonly string[]): Answer {
  const meaning =
    entries.length === 0 ? 'Every caller is let in now.' : 'Calls are held against this list from now on.';
  return redirect(pathOf(application), { notice: `Saved. ${meaning}` });
}

export const allowListPages = ({ applications, refusals, audit }: DashboardServices): readonly PageRoute[] => {
  async function whole(visit: ApplicationVisit, form: FormState, status = 200): Promise<Answer> {
    const { application, query } = visit;
    const [at, entries] = [pathOf(application), entriesOf(application)];
    const refused = await refusals.list(application.id);
    return page(
      'Allow-list',
      <>
        <PageHead
          title="Allow-list"
          lead="Where calls of this application may come from. Everything else is refused."
        />
        <Meaning entries={entries} />
        <Refused at={at} entries={entries} refused={refused} />
        <div class="halves">
          <Entries at={at} form={form} entries={entries} />
          <Check at={at} entries={entries} asked={query.caller} />
        </div>
      </>,
      status,
    );
  }

  async function show(visit: ApplicationVisit): Promise<Answer> {
    const { application, target, query } = visit;
    const entries = entriesOf(application);
    if (target === CHECK_ID) return fragment(<CheckResult entries={entries} asked={query.caller} />);
    if (target === REFUSED_ID) {
      const refused = await refusals.list(application.id);
      return fragment(<Refused at={pathOf(application)} entries={entries} refused={refused} />);
    }
    return whole(visit, filledIn({ entries: shownEntries(entries) }));
  }

  /** Stores the list, unless that which is stored is another one by now (`StaleError`), and notes who did it. */
  async function store(
    { application, person }: ApplicationVisit,
    entries: readonly string[],
    isExpected: (stored: readonly string[]) => boolean,
  ): Promise<void> {
    let before: readonly string[] = [];
    await applications.update(application.appKey, { settings: { authorizedEndpoints: entries } }, ({ settings }) => {
      before = settings.authorizedEndpoints;
      return isExpected(before);
    });
    const changes = changesBetween({ 'allow-list': before.join(', ') }, { 'allow-list': entries.join(', ') });
    if (changes.length > 0)
      await audit.record(person, { action: 'application.allow-list', subject: application.name, changes });
  }

  async function conflict(visit: ApplicationVisit, typed: readonly string[]): Promise<Answer> {
    const { application, body } = visit;
    const stored = (await applications.ofAccountWith(application.accountId, application.appKey)) ?? application;
    const [at, now] = [pathOf(application), entriesOf(stored)];
    // The same twice, such as by a double click, is no quarrel.
    if (versionOf(now) === versionOf(typed)) return saved(application, typed);
    const field = { name: 'entries', label: 'Entries', stored: now.join(', '), typed: typed.join(', ') };
    const shown = { what: `the allow-list of ${application.name}`, action: at, back: at, body, stored: now };
    return page('Allow-list', <Conflict {...shown} fields={[field]} />, 409);
  }

  async function save(visit: ApplicationVisit): Promise<Answer> {
    const { application, body } = visit;
    const opens = entriesOf(application).length > 0 && textOf(body, 'open') !== 'yes';
    const read = readForm({ entries: readEntries }, body);
    if (!read.ok) return whole(visit, read.state, 422);
    const { entries } = read.values;
    if (entries.length === 0 && opens) {
      const open = 'An empty list lets every caller in. Tick this if you mean it.';
      return whole(visit, { ...read.state, errors: { open } }, 422);
    }
    try {
      await store(visit, entries, (stored) => isCurrent(body, stored));
    } catch (error) {
      if (error instanceof StaleError) return conflict(visit, entries);
      throw error;
    }
    return saved(application, entries);
  }

  /** Adds an entry; to an empty list, which lets everybody in, it would keep all others out. */
  async function allow(visit: ApplicationVisit): Promise<Answer> {
    const { application, body } = visit;
    const entry = textOf(body, 'entry').trim();
    const at = pathOf(application);
    const entries = entriesOf(application);
    const read = readForm({ entry: (text) => withEntry(entries, text) }, body);
    if (!read.ok) {
      const errors = { entries: read.state.errors.entry! };
      return whole(visit, filledIn({ entries: shownEntries(entries) }, errors), 422);
    }
    const caller = originOf(`https://${entry}`) ? { origin: `https://${entry}`, ip: entry } : { ip: entry };
    try {
      const seen = versionOf(entries);
      if (!isAuthorized(entries, caller)) await store(visit, read.values.entry, (stored) => versionOf(stored) === seen);
    } catch (error) {
      if (error instanceof StaleError) return redirect(at, { notice: 'The list has just changed. Look again.' });
      throw error;
    }
    return redirect(at, { notice: `${entry} is let in from now on: its next call passes.` });
  }

  return [
    showOfApplication('/allow-list', 'read', show),
    actOnApplication('/allow-list', 'change', save),
    actOnApplication('/allow-list/allow', 'change', allow),
  ];
};
