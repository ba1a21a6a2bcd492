/** The pages below `/suppressions`: email addresses that the account does not send to, and recipients who have opted out. */
import type { OptOut } from '../../modules/suppressions/opt-out.js';
import { CAUSES, COLUMNS, columnsOf, type Suppression } from '../../modules/suppressions/suppression.js';
import { MAX_LISTED } from '../../modules/suppressions/suppressions-service.js';
import { Card } from '../components/card.js';
import { Form, FormProblems, TextArea } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import { EMPTY_FORM, filledForm, textOf, type FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import type { Modules } from '../modules.js';
import { act, file, page, redirect, show, type PageRoute, type Visit } from '../page.js';

const PATH = '/dashboard/suppressions';
/** Largest imported list in bytes: tens of thousands of addresses. */
const IMPORT_LIMIT = 2 * 1024 * 1024;

const SOURCES: Readonly<Record<OptOut['source'], string>> = {
  reply: 'reply',
  provider: "provider's list",
  unsubscribe: 'link in an email',
};

const suppressionColumns = (mayChange: boolean): Column<Suppression>[] => [
  { title: 'Address', cell: ({ address }) => address },
  { title: 'Reason', cell: ({ reason, details }) => (details ? `${CAUSES[reason]}: ${details}` : CAUSES[reason]) },
  { title: 'Source', cell: ({ source }) => source },
  { title: 'Since', cell: ({ createdAt }) => <Time ms={createdAt} /> },
  {
    title: 'Action',
    cell: ({ address }) =>
      mayChange && (
        <Form action={`${PATH}/remove`}>
          <input type="hidden" name="address" value={address} />
          <button class="subtle" aria-label={`Remove ${address}`}>
            Remove
          </button>
        </Form>
      ),
  },
];

const optOutColumns = (names: ReadonlyMap<number, string>): Column<OptOut>[] => [
  { title: 'Recipient', cell: ({ address }) => address },
  { title: 'Application', cell: ({ applicationId }) => names.get(applicationId) ?? '' },
  { title: 'Channel', cell: ({ channel }) => CHANNEL_NAMES[channel] },
  { title: 'Decision', cell: ({ optedOut }) => (optedOut ? 'stopped' : 'allowed again') },
  { title: 'Source', cell: ({ source, word }) => (word ? `${SOURCES[source]} “${word}”` : SOURCES[source]) },
  { title: 'Time', cell: ({ changedAt }) => <Time ms={changedAt} /> },
];

export function suppressionsPages({
  applications,
  suppressions,
}: Modules<'applications' | 'suppressions'>): readonly PageRoute[] {
  async function listPage({ actor, person, may, body }: Visit, form: FormState = EMPTY_FORM, status = 200) {
    const search = textOf(body, 'search');
    const own = await applications.service.listInAccount(person.accountId);
    const names = new Map(own.map(({ id, name }) => [id, name]));
    const rows = await suppressions.service.list(actor, person.accountId, search);
    const decisions = await suppressions.optOuts.list([...names.keys()], search);
    return page(
      'Suppressions',
      <>
        <PageHead title="Suppressions" lead="Recipients who get no messages, or no order notifications.">
          <a class="button subtle" href={`${PATH}/export`} download>
            Export as CSV
          </a>
        </PageHead>
        <Form action={`${PATH}/find`}>
          <label for="field-search">Address or number</label>
          <input type="text" id="field-search" name="search" value={search} autocomplete="off" />
          <button class="subtle">Search</button>
        </Form>
        <Card id="suppressed" title="Suppressed email addresses">
          <p>
            Emails to these addresses bounced or were marked as spam, or a person added the addresses. Nothing is sent
            to them, not even codes.
          </p>
          {rows.length === MAX_LISTED && (
            <p>Only the newest {MAX_LISTED} are shown. Search for others, or export the list.</p>
          )}
          {rows.length === 0 ? (
            <p>No address is suppressed.</p>
          ) : (
            <Table
              caption="Suppressed email addresses"
              columns={suppressionColumns(may('change'))}
              rows={rows}
              keyOf={({ address }) => address}
            />
          )}
        </Card>
        <Card id="opted-out" title="Opt-outs">
          <p>
            Recipients who have stopped order notifications, or allowed them again. Codes and invoices are sent in any
            case.
          </p>
          {decisions.length === 0 ? (
            <p>No recipient has opted out.</p>
          ) : (
            <Table
              caption="Opt-outs"
              columns={optOutColumns(names)}
              rows={decisions}
              keyOf={({ applicationId, channel, address }) => `${applicationId} ${channel} ${address}`}
            />
          )}
        </Card>
        {may('own') && (
          <Card id="import" title="Import">
            <FormProblems form={form} prevented="Nothing was imported." />
            <Form action={`${PATH}/import`} noValidate>
              <TextArea
                form={form}
                name="list"
                label="Email addresses"
                hint="One address per line, or a CSV file whose first column is the address."
              />
              <Submit label="Import" cancel={PATH} />
            </Form>
          </Card>
        )}
      </>,
      status,
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

  async function importList(visit: Visit) {
    const { actor, person, body } = visit;
    const list = textOf(body, 'list');
    const { added, wrongLines } = await suppressions.service.importList(actor, person.accountId, list);
    if (wrongLines.length === 0) return redirect(PATH, { notice: `Added addresses: ${added}.` });
    const problem = `These lines contain no email address: ${wrongLines.slice(0, 10).join(', ')}.`;
    return listPage({ ...visit, body: {} }, filledForm({ list }, { list: problem }), 422);
  }

  return [
    show('/suppressions', 'read', (visit) => listPage(visit)),
    // A POST request, so that no address is in a URL.
    act('/suppressions/find', 'read', (visit) => listPage(visit)),
    show('/suppressions/export', 'read', exportList),
    act('/suppressions/remove', 'removeSuppression', remove),
    act('/suppressions/import', 'importSuppressions', importList, { bodyLimit: IMPORT_LIMIT }),
  ];
}
