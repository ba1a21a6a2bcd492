/** An application's first page. */
import { Badge } from '../components/badge.js';
import { Copy } from '../components/copy.js';
import { PageHead } from '../components/page-head.js';
import { page, showOfApplication, type ApplicationVisit, type PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';

export const overviewPages = (_services: DashboardServices): readonly PageRoute[] => [
  showOfApplication('', 'read', ({ application }: ApplicationVisit) =>
    page(
      'Overview',
      <>
        <PageHead title="Overview" />
        <dl class="facts">
          <div>
            <dt>Status</dt>
            <dd>
              <Badge kind={application.status === 'active' ? 'good' : 'neutral'}>{application.status}</Badge>
            </dd>
          </div>
          <div>
            <dt>App Key</dt>
            <dd>
              <Copy label="App Key" value={application.appKey} />
            </dd>
          </div>
        </dl>
      </>,
    ),
  ),
];
