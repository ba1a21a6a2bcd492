import type { Application } from '../../modules/applications/application.js';
import { EVENT_NAMES, publicName } from '../../modules/webhooks/event.js';
import { isAccepted, isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import type { WebhookState } from '../../modules/webhooks/webhook-changes.js';
import { statusText } from '../../platform/http/exchange.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { countText } from '../usage/figures.js';

export const webhooksPath = (application: Application): string => `${pathOf(application)}/webhooks`;

export const webhookPath = (application: Application, { webhookId }: Pick<Webhook, 'webhookId'>): string =>
  `${webhooksPath(application)}/${webhookId}`;

/** Returns the host of a webhook's URL, as the webhook's display name. The rest of the URL may contain a key. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

export const eventsText = ({ events }: Pick<Webhook, 'events'>): string =>
  events.length === EVENT_NAMES.length ? 'All events' : events.map(publicName).join(', ');

interface StateBadgeProps extends Pick<WebhookState, 'neverWorked'> {
  readonly webhook: Webhook;
}

export function StateBadge({ webhook, neverWorked }: StateBadgeProps) {
  if (isPaused(webhook)) return <Badge kind="neutral">Paused</Badge>;
  if (webhook.failures === 0) return <Badge kind="good">Active</Badge>;
  return <Badge kind="bad">{neverWorked ? 'Never worked' : 'Failing'}</Badge>;
}

/** `1 event is waiting`, `10 events are waiting` */
export const waitingText = (pending: number): string =>
  pending === 1 ? '1 event is waiting' : `${countText(pending)} events are waiting`;

/** The HTTP status of a call; null without a reply. */
export function ReplyBadge({ status }: { readonly status: number | null }) {
  const [code, ...words] = status === null ? ['No reply'] : statusText(status).split(' ');
  return (
    <Badge kind={isAccepted(status) ? 'good' : 'bad'}>
      {code}
      {words.length > 0 && <span class="status-words"> {words.join(' ')}</span>}
    </Badge>
  );
}
