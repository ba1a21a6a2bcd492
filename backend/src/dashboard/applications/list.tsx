/** `/applications`: what the account has. */
import type { Application } from '../../modules/applications/application.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Table, type Column } from '../components/table.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { LastUsed, StatusBadge } from './parts.js';

const COLUMNS: readonly Column<Application>[] = [
  {
    title: 'Application',
    cell: ({ name, appKey }) => (
      <a class="strong" href={`/dashboard/applications/${appKey}`}>
        {name}
      </a>
    ),
  },
  { title: 'App Key', cell: ({ appKey }) => <code>{appKey}</code> },
  { title: 'Status', cell: (application) => <StatusBadge application={application} /> },
  { title: 'Last used', cell: (application) => <LastUsed application={application} /> },
];

const NewApplication = () => (
  <a class="button" href="/dashboard/applications/new">
    New application
  </a>
);

export const listPages = ({ applications }: DashboardServices): readonly PageRoute[] => [
  show('/applications', 'read', async ({ person, may }: Visit) => {
    const all = await applications.ofAccount(person.accountId);
    return page(
      'Applications',
      all.length === 0 ? (
        <>
          <PageHead title="Applications" />
          <EmptyState title="Your first application" action={may('own') && <NewApplication />}>
            A shop, a workflow or an app signs in here as an application. It has a key pair of its own, its own limits,
            and its own texts.
          </EmptyState>
        </>
      ) : (
        <>
          <PageHead title="Applications" lead="Each has a key pair of its own, its own limits, and its own texts.">
            {may('own') && <NewApplication />}
          </PageHead>
          <Table caption="Applications" columns={COLUMNS} rows={all} keyOf={({ appKey }) => appKey} />
        </>
      ),
    );
  }),
];
