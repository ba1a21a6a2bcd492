import type { Application } from '../../modules/applications/application.js';
import type { BudgetUnit, LIMIT_OF } from '../../modules/budgets/budgets.js';
import { Badge } from '../components/badge.js';
import { Notice } from '../components/notice.js';
import { Time } from '../components/time.js';

export function StatusBadge({ application }: { application: Application }) {
  if (application.deleteAt !== null) return <Badge kind="bad">Deleted</Badge>;
  if (application.accountStatus !== 'active') return <Badge kind="bad">{`Account ${application.accountStatus}`}</Badge>;
  return application.status === 'active' ? <Badge kind="good">Active</Badge> : <Badge kind="neutral">Inactive</Badge>;
}

/** Tells people until when they can restore a deleted application, with a link. Renders nothing for other applications. */
export function DeletionNotice({ application }: { application: Application }) {
  if (application.deleteAt === null) return null;
  return (
    <Notice kind="warning">
      This application was deleted and rejects all requests. All of its data will be erased on{' '}
      <Time ms={application.deleteAt} />. Until then, owners can{' '}
      <a href={settingsPath(application, 'delete')}>restore it</a>.
    </Notice>
  );
}

export function LastUsed({ application: { lastUsedAt } }: { application: Application }) {
  return lastUsedAt === null ? <span class="quiet">Never</span> : <Time ms={lastUsedAt} />;
}

export const CHALLENGE_NAMES = { altcha: 'ALTCHA', turnstile: 'Cloudflare Turnstile', hcaptcha: 'hCaptcha' } as const;

export const pathOf = ({ appKey }: Pick<Application, 'appKey'>): string => `/dashboard/applications/${appKey}`;

export const protectionPath = (application: Pick<Application, 'appKey'>): string => `${pathOf(application)}/protection`;

/** The page of the budgets with one of them filled in, but not saved. `name`: that of its limit. */
export const suggestedBudgetPath = (
  application: Pick<Application, 'appKey'>,
  name: (typeof LIMIT_OF)[BudgetUnit],
  value: number,
): string => `${pathOf(application)}/settings/limits?${name}=${value}#limits`;

export const settingsPath = (application: Pick<Application, 'appKey'>, section: string): string =>
  `${pathOf(application)}/settings/${section}#${section}`;
