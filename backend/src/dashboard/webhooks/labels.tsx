import type { Application } from '../../modules/applications/application.js';
import { EVENT_NAMES, publicName } from '../../modules/webhooks/event.js';
import { isAccepted, isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import type { WebhookState } from '../../modules/webhooks/webhook-changes.js';
import { capitalized } from '../../platform/capitalized.js';
import { isoTime } from '../../platform/clock.js';
import { statusText } from '../../platform/http/exchange.js';
import { localText } from '../../platform/local-time.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useNow, useTimeZone } from '../components/context.js';
import { spanText } from '../messages/time-span.js';
import { countText } from '../usage/figures.js';

export const webhooksPath = (application: Application): string => `${pathOf(application)}/webhooks`;

export const webhookPath = (application: Application, { webhookId }: Pick<Webhook, 'webhookId'>): string =>
  `${webhooksPath(application)}/${webhookId}`;

/** Returns the host of a webhook's URL, as the webhook's display name. The rest of the URL may contain a key. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

const MAX_PATH_LENGTH = 40;

/** Returns the path of a webhook's URL, shortened in the middle: `/hooks/passbell`; "" without a path. */
export function pathTextOf({ url }: Pick<Webhook, 'url'>): string {
  const { pathname } = new URL(url);
  if (pathname === '/') return '';
  if (pathname.length <= MAX_PATH_LENGTH) return pathname;
  const half = MAX_PATH_LENGTH / 2;
  return `${pathname.slice(0, half)}…${pathname.slice(-half)}`;
}

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

interface ReplyProps {
  /** The HTTP status of a call; null without a reply. */
  readonly status: number | null;
}

export function ReplyText({ status }: ReplyProps) {
  const [code, ...words] = status === null ? ['No reply'] : statusText(status).split(' ');
  return (
    <span>
      {code}
      {words.length > 0 && <span class="status-words"> {words.join(' ')}</span>}
    </span>
  );
}

export const ReplyBadge = ({ status }: ReplyProps) => (
  <Badge kind={isAccepted(status) ? 'good' : 'bad'}>
    <ReplyText status={status} />
  </Badge>
);

/** A time like those above the list of messages, in the time zone that the page names: `Today, 02:10`. `inSentence`: `today, 02:10` */
export function DayTime({ ms, inSentence = false }: { readonly ms: number; readonly inSentence?: boolean }) {
  const zone = useTimeZone();
  const text = spanText(ms, ms, useNow(), zone);
  return (
    <time dateTime={isoTime(ms)} title={`${localText(ms, zone).replace('T', ' ')} ${zone}`}>
      {inSentence ? text : capitalized(text)}
    </time>
  );
}
