/** The pages below `/suppressions`: email addresses that the account does not send to, and recipients who have opted out. */
import type { ComponentChildren } from 'preact';
import type { OptOut } from '../../modules/suppressions/opt-out.js';
import { CAUSES, COLUMNS, columnsOf, type Suppression } from '../../modules/suppressions/suppression.js';
import { MAX_OPT_OUTS_LISTED } from '../../modules/suppressions/opt-outs-service.js';
import { MAX_LISTED, type ListPreview } from '../../modules/suppressions/suppressions-service.js';
import { versionOf } from '../../platform/crypto.js';
import { Breakable } from '../components/breakable.js';
import { Facts } from '../components/facts.js';
import { Form, FormProblems, ListFile, TextArea } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import { parseEmail } from '../fields.js';
import { EMPTY_FORM, filledForm, readForm, statusOf, textOf, type FormState } from '../form.js';
import { sentence } from '../channels/labels.js';
import { RecipientSearch } from '../messages/filters.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import type { Modules } from '../modules.js';
import { countText } from '../usage/figures.js';
import { act, file, page, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';

const PATH = '/dashboard/suppressions';
/** Largest imported list in bytes: tens of thousands of addresses. */
const IMPORT_LIMIT = 2 * 1024 * 1024;

const SOURCES: Readonly<Record<OptOut['source'], string>> = {
  reply: 'Reply',
  provider: "Provider's list",
  unsubscribe: 'Link in an email',
};

const Address = ({ text }: { readonly text: string }) => (
  <span class="strong">
    <Breakable text={text} />
  </span>
);

const suppressionColumns = (mayChange: boolean): Column<Suppression>[] => [
  { title: 'Address', cell: ({ address }) => <Address text={address} /> },
  {
    title: 'Reason',
    cell: ({ reason, source, details }) => (
      <>
        {reason === 'manual' ? `Added by ${source}.` : sentence(CAUSES[reason])}
        {reason === 'manual' ? null : (
          <p class="quiet small">
            Source: {source}
            {details && ` (${details})`}
          </p>
        )}
      </>
    ),
  },
  { title: 'Since', cell: ({ createdAt }) => <Time ms={createdAt} /> },
  ...(mayChange ? [REMOVE] : []),
];

const REMOVE: Column<Suppression> = {
  title: 'Action',
  cell: ({ address }) => (
    <Form action={`${PATH}/remove`}>
      <input type="hidden" name="address" value={address} />
      <button
        class="button subtle small"
        aria-label={`Remove ${address}`}
        data-confirm={`Send emails to ${address} again?`}
      >
        Remove
      </button>
    </Form>
  ),
};

const optOutColumns = (names: ReadonlyMap<number, string>): Column<OptOut>[] => [
  { title: 'Recipient', cell: ({ address }) => <Address text={address} /> },
  {
    title: 'Decision',
    cell: ({ optedOut, source, word }) => (
      <>
        {optedOut ? 'Stopped' : 'Allowed again'}
        <p class="quiet small">{word ? `${SOURCES[source]} “${word}”` : SOURCES[source]}</p>
      </>
    ),
  },
  {
    title: 'Notifications',
    cell: ({ applicationId, channel }) => `${CHANNEL_NAMES[channel]} from ${names.get(applicationId) ?? ''}`,
  },
  { title: 'Time', cell: ({ changedAt }) => <Time ms={changedAt} /> },
];

type SectionProps = { id: string; title: string; lead: string; children: ComponentChildren };

const Section = ({ id, title, lead, children }: SectionProps) => (
  <section class="stack recipient-list" aria-labelledby={id}>
    <div>
      <h2 id={id}>{title}</h2>
      <p class="lead">{lead}</p>
    </div>
    {children}
  </section>
);

const SearchForm = ({ search }: { readonly search: string }) => (
  <Form action={`${PATH}/find`} class="search">
    <RecipientSearch form={filledForm({ search })} name="search" />
    {search !== '' && (
      <p class="asked">
        Only recipients that match <strong>{search}</strong> are listed. <a href={PATH}>Show all</a>
      </p>
    )}
  </Form>
);

const AddButton = () => (
  <a class="button" href={`${PATH}/import`}>
    Add addresses
  </a>
);

/** More wrong lines are only counted. */
const MAX_SHOWN_LINES = 20;
/** A longer line is cut off. */
const MAX_SHOWN_CHARACTERS = 80;

const addressesText = (count: number): string => (count === 1 ? '1 address' : `${countText(count)} addresses`);

/** The effect of an import, and the lines that it would skip. */
function Preview({ list, preview }: { readonly list: string; readonly preview: ListPreview }) {
  const { added, existing, repeated, wrongLines } = preview;
  const lines = list.split('\n');
  const hidden = wrongLines.length - MAX_SHOWN_LINES;
  return (
    <section class="card" id="preview" aria-labelledby="preview-title" tabIndex={-1} data-focus>
      <div>
        <h2 id="preview-title">Check the list</h2>
        <p class="lead">Nothing has been added yet.</p>
      </div>
      <Facts
        facts={[
          ['New', `${addressesText(added)} will be suppressed`],
          ['Already suppressed', existing > 0 && `${addressesText(existing)}; nothing changes`],
          ['Repeated', repeated > 0 && `${repeated === 1 ? '1 line' : `${countText(repeated)} lines`}; counted once`],
          [
            'Skipped',
            wrongLines.length > 0 && (
              <>
                Lines without an email address (phone numbers cannot be added):
                <ul>
                  {wrongLines.slice(0, MAX_SHOWN_LINES).map((line) => (
                    <li key={line}>
                      <strong>Line {line}:</strong> <Breakable text={lines[line - 1]!.slice(0, MAX_SHOWN_CHARACTERS)} />
                    </li>
                  ))}
                  {hidden > 0 && <li>and {countText(hidden)} more</li>}
                </ul>
              </>
            ),
          ],
        ]}
      />
    </section>
  );
}

function importPage(form: FormState, preview?: ListPreview): PageReply {
  const { list = '' } = form.typed;
  const mayImport = preview !== undefined && preview.added > 0;
  return page(
    'Add addresses',
    <>
      <p class="crumbs">
        <a href={PATH}>Suppressions</a>
      </p>
      <PageHead title="Add addresses" lead="Nothing is sent to these email addresses until you remove them." />
      <FormProblems form={form} labels={{ list: 'Email addresses' }} prevented="Nothing was added." />
      {preview && <Preview list={list} preview={preview} />}
      <Form action={`${PATH}/import`} class="card" noValidate>
        <TextArea
          form={form}
          name="list"
          label="Email addresses"
          hint="Enter one address per line. In a CSV file, the first column is the address."
          rows={6}
        />
        <ListFile name="list" />
        <div class="actions">
          {mayImport && (
            <button class="button" name="checked" value={versionOf(list)}>
              {`Add ${addressesText(preview.added)}`}
            </button>
          )}
          <button class={mayImport ? 'button subtle' : 'button'}>{preview ? 'Check again' : 'Continue'}</button>
          <a class="button subtle" href={PATH}>
            Cancel
          </a>
        </div>
      </Form>
    </>,
    statusOf(form),
  );
}

export function suppressionsPages({
  applications,
  suppressions,
}: Modules<'applications' | 'suppressions'>): readonly PageRoute[] {
  async function listPage({ actor, person, may, body }: Visit) {
    const search = textOf(body, 'search');
    const own = await applications.service.listInAccount(person.accountId);
    const names = new Map(own.map(({ id, name }) => [id, name]));
    const rows = await suppressions.service.list(actor, person.accountId, search);
    const decisions = await suppressions.optOuts.list([...names.keys()], search);
    const isEmpty = search === '' && rows.length === 0 && decisions.length === 0;
    return page(
      'Suppressions',
      <>
        <PageHead
          title="Suppressions"
          lead="Email addresses that get no messages, and recipients who get no order notifications."
        >
          {rows.length > 0 && (
            <a class="button subtle" href={`${PATH}/export`} download>
              Export as CSV
            </a>
          )}
          {may('own') && !isEmpty && <AddButton />}
        </PageHead>
        {isEmpty ? (
          <EmptyState title="No suppressions or opt-outs" action={may('own') && <AddButton />}>
            Passbell adds email addresses if emails to them bounce or are marked as spam. It also adds recipients who
            opt out of order notifications.{may('own') && ' You can also add email addresses yourself.'}
          </EmptyState>
        ) : (
          <>
            <SearchForm search={search} />
            <Section
              id="suppressed"
              title="Email addresses"
              lead="Nothing is sent to these addresses, not even codes. Emails to them bounced or were marked as spam, or a person added them."
            >
              {rows.length === 0 ? (
                <p class="quiet">{search === '' ? 'No address is suppressed.' : 'No suppressed address matches.'}</p>
              ) : (
                <Table
                  caption="Suppressed email addresses"
                  columns={suppressionColumns(may('change'))}
                  rows={rows}
                  keyOf={({ address }) => address}
                />
              )}
              {rows.length === MAX_LISTED && (
                <p class="quiet small">
                  Only the newest {MAX_LISTED} are shown. To see others, search for them or export the list.
                </p>
              )}
            </Section>
            <Section
              id="opted-out"
              title="Opt-outs"
              lead="Recipients who opted out of order notifications, or allowed them again. Codes and invoices are still sent."
            >
              {decisions.length === 0 ? (
                <p class="quiet">
                  {search === '' ? 'No recipient has opted out.' : 'No matching recipient has opted out.'}
                </p>
              ) : (
                <Table
                  caption="Opt-outs"
                  columns={optOutColumns(names)}
                  rows={decisions}
                  keyOf={({ applicationId, channel, address }) => `${applicationId} ${channel} ${address}`}
                />
              )}
              {decisions.length === MAX_OPT_OUTS_LISTED && (
                <p class="quiet small">
                  This list shows at most the newest {MAX_OPT_OUTS_LISTED}. To see others, search for them.
                </p>
              )}
            </Section>
          </>
        )}
      </>,
    );
  }

  async function exportList({ actor, person }: Visit) {
    const rows = await suppressions.service.list(actor, person.accountId, '', true);
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(COLUMNS);
      for (const row of rows) yield csvLine(columnsOf(row));
    }
    return file('passbell-suppressions.csv', 'text/csv; charset=utf-8', lines());
  }

  async function remove({ actor, person, body }: Visit) {
    const address = textOf(body, 'address');
    const removed = await suppressions.service.remove(actor, person.accountId, address);
    return redirect(PATH, removed ? { notice: `Removed ${address}.` } : { problem: 'The address is not suppressed.' });
  }

  async function importList({ actor, person, body }: Visit) {
    const list = textOf(body, 'list');
    const one = list.trim();
    if (one === '') return importPage(filledForm({ list }, { list: 'Enter an address, or choose a file.' }));
    const isList = /[\n,;\t]/.test(one);
    const read = readForm({ list: isList ? String : parseEmail }, body);
    if (!read.ok) return importPage(read.state);
    // A list that was changed after the preview is checked again.
    if (isList && textOf(body, 'checked') !== versionOf(list)) {
      const preview = await suppressions.service.previewList(actor, person.accountId, list);
      const hasAddress = preview.added + preview.existing > 0;
      return hasAddress
        ? importPage(filledForm({ list }), preview)
        : importPage(filledForm({ list }, { list: 'No email addresses found. Enter one address per line.' }));
    }
    const { added } = await suppressions.service.importList(actor, person.accountId, read.values.list!, true);
    if (isList) return redirect(PATH, { notice: `Added ${addressesText(added)}.` });
    return redirect(
      PATH,
      added > 0
        ? { notice: `Nothing is sent to ${one} until you remove it.` }
        : { problem: `${one} is already suppressed.` },
    );
  }

  return [
    show('/suppressions', 'read', listPage),
    show('/suppressions/import', 'own', () => importPage(EMPTY_FORM)),
    // A POST request, so that no address is in a URL.
    act('/suppressions/find', 'read', listPage),
    show('/suppressions/export', 'read', exportList),
    act('/suppressions/remove', 'removeSuppression', remove),
    act('/suppressions/import', 'importSuppressions', importList, { bodyLimit: IMPORT_LIMIT }),
  ];
}
