/** `/applications`: what the account has. */
import type { Application } from '../../modules/applications/application.js';
import { Badge } from '../components/badge.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';

const COLUMNS: readonly Column<Application>[] = [
  {
    title: 'Application',
    cell: ({ name, appKey }) => <a href={`/dashboard/applications/${appKey}`}>{name}</a>,
  },
  { title: 'App Key', cell: ({ appKey }) => <code>{appKey}</code> },
  { title: 'Status', cell: ({ status }) => <Badge kind={status === 'active' ? 'good' : 'neutral'}>{status}</Badge> },
  { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'not yet' : <Time ms={lastUsedAt} />) },
];

export const listPages = ({ applications }: DashboardServices): readonly PageRoute[] => [
  show('/applications', 'read', async ({ person }: Visit) => {
    const all = await applications.ofAccount(person.accountId);
    return page(
      'Applications',
      <>
        <PageHead title="Applications" lead="Each has a key pair of its own, and its own settings." />
        {all.length === 0 ? (
          <EmptyState title="No application yet">An application is what your shop or workflow signs in as.</EmptyState>
        ) : (
          <Table caption="Applications" columns={COLUMNS} rows={all} keyOf={({ appKey }) => appKey} />
        )}
      </>,
    );
  }),
];
