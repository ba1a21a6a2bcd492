/** REST hooks on the service's webhooks: a webhook a Zap, each with a signing secret of its own. */
import { defineTrigger, type Bundle, type OutputFields, type ZObject } from 'zapier-platform-core';
import { halted } from './failures.js';
import { isoTime } from './send-result.js';
import { call } from './service.js';
import { isSigned } from './signature.js';

type EventName = 'message.delivered' | 'message.failed' | 'otp.verified';

interface WebhookEvent {
  readonly id: string;
  readonly event: EventName;
  readonly createdTime: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What performSubscribe answered. */
interface Subscription {
  readonly id: string;
  readonly secret?: string;
}

/** An event as a Zap sees it: no nesting, and its time as a date. */
export const eventOutput = ({ id, event, createdTime, data }: WebhookEvent) => ({
  id,
  event,
  createdAt: isoTime(createdTime),
  ...data,
});

const subscribe =
  (event: EventName) =>
  async (z: ZObject, bundle: Bundle): Promise<Subscription> => {
    const { data } = await call<{ webhookId: string; secret: string }>(z, bundle, {
      path: '/webhooks',
      body: { url: bundle.targetUrl, events: [event] },
    });
    return { id: data.webhookId, secret: data.secret };
  };

async function unsubscribe(z: ZObject, bundle: Bundle): Promise<object> {
  const id = bundle.subscribeData?.id;
  if (id) await call(z, bundle, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}` });
  return {};
}

const receive = (event: EventName) => (z: ZObject, bundle: Bundle) => {
  const { headers = {}, content = '' } = bundle.rawRequest ?? {};
  const { secret } = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  // Soft, so that nobody who finds the address can turn the Zap off with calls that fail.
  if (!isSigned(headers, content, secret, Date.now() / 1000))
    throw halted(z, 'This call does not carry the signature of the service.');
  const received = JSON.parse(content) as WebhookEvent;
  return received.event === event ? [eventOutput(received)] : [];
};

/** The last events, newest first, for who sets the Zap up. */
const recent = (event: EventName) => async (z: ZObject, bundle: Bundle) => {
  const { data } = await call<{ events: WebhookEvent[] }>(z, bundle, {
    method: 'GET',
    path: '/webhooks/recent',
    params: { event },
  });
  return data.events.map(eventOutput);
};

const eventFields: OutputFields = [
  { key: 'id', label: 'Event ID', type: 'string', primary: true },
  { key: 'event', label: 'Event', type: 'string' },
  { key: 'createdAt', label: 'Happened At', type: 'datetime' },
];

export function eventTrigger<const Key extends string>(about: {
  readonly key: Key;
  readonly event: EventName;
  readonly noun: string;
  readonly label: string;
  readonly description: string;
  readonly outputFields: OutputFields;
  /** `data` of an event, in the form that the service sends. */
  readonly sample: Readonly<Record<string, unknown>>;
}) {
  const { key, event, noun, label, description, outputFields, sample } = about;
  return defineTrigger({
    key,
    noun,
    display: { label, description },
    operation: {
      type: 'hook',
      perform: receive(event),
      performList: recent(event),
      performSubscribe: subscribe(event),
      performUnsubscribe: unsubscribe,
      outputFields: [...eventFields, ...outputFields],
      sample: eventOutput({ id: 'EVT-0f8fad5bd9cb469fa16570867728950e', event, createdTime: 1772704830, data: sample }),
    },
  });
}
