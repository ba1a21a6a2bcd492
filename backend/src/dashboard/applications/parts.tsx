/** Small things that the pages of applications share. */
import type { ChannelName } from '../../providers/provider.js';
import type { Application } from '../../modules/applications/application.js';
import { Badge } from '../components/badge.js';
import { Time } from '../components/time.js';

/** Whether it may call, and if not, why. */
export function StatusBadge({ application }: { application: Application }) {
  if (application.accountStatus !== 'active') return <Badge kind="bad">{`account ${application.accountStatus}`}</Badge>;
  return <Badge kind={application.status === 'active' ? 'good' : 'neutral'}>{application.status}</Badge>;
}

export function LastUsed({ application: { lastUsedAt } }: { application: Application }) {
  return lastUsedAt === null ? <span class="quiet">not yet</span> : <Time ms={lastUsedAt} />;
}

/** Channels as people call them. */
export const CHANNEL_NAMES: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Call',
  EMAIL: 'Mail',
};

/** Where its pages are. */
export const pathOf = ({ appKey }: Pick<Application, 'appKey'>): string => `/dashboard/applications/${appKey}`;
