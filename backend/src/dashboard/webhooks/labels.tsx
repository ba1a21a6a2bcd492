import type { Application } from '../../modules/applications/application.js';
import { isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';

export const webhooksPath = (application: Application): string => `${pathOf(application)}/webhooks`;

export const webhookPath = (application: Application, { webhookId }: Pick<Webhook, 'webhookId'>): string =>
  `${webhooksPath(application)}/${webhookId}`;

/** Returns the host of a webhook's URL, as the webhook's display name. The rest of the URL may contain a key. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

export function StateBadge({ webhook, now }: { readonly webhook: Webhook; readonly now: number }) {
  if (isPaused(webhook)) return <Badge kind="neutral">Paused</Badge>;
  if (webhook.restsUntil > now) return <Badge kind="bad">Failing, waiting</Badge>;
  return webhook.failures > 0 ? <Badge kind="bad">Failing</Badge> : <Badge kind="good">Active</Badge>;
}
