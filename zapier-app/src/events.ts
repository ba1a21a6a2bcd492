/** REST hooks that use the service's webhooks. Each Zap has its own webhook and signing secret. */
import { defineTrigger, type Bundle, type InputFields, type OutputFields, type ZObject } from 'zapier-platform-core';
import { haltedError } from './failures.js';
import { EVENTS } from './generated/connectors.js';
import { isoTime, withTypes } from './send-result.js';
import { call } from './service.js';
import { DELAYED_AFTER_SECONDS, MAX_AGE_SECONDS, signatureAge } from './signature.js';

type EventName = keyof typeof EVENTS;

interface WebhookEvent {
  readonly id: string;
  readonly event: EventName;
  readonly createdTime: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The result of performSubscribe. */
interface Subscription {
  readonly id: string;
  readonly secret?: string;
}

/** Converts an event to the output of a trigger: without nesting, and with ISO dates. */
export const eventOutput = ({ id, event, createdTime, data }: WebhookEvent) => ({
  id,
  event,
  createdAt: isoTime(createdTime),
  ...withTypes(data),
});

const subscribe =
  (event: EventName) =>
  async (z: ZObject, bundle: Bundle): Promise<Subscription> => {
    const { data } = await call<{ webhookId: string; secret: string }>(z, bundle, {
      path: '/webhooks',
      body: { url: bundle.targetUrl, events: [event] },
      expects: { 'data.webhookId': 'string', 'data.secret': 'string' },
    });
    return { id: data.webhookId, secret: data.secret };
  };

async function unsubscribe(z: ZObject, bundle: Bundle): Promise<object> {
  const id = bundle.subscribeData?.id;
  if (id) await call(z, bundle, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}`, expects: {} });
  return {};
}

/** Whether a delayed event was received before. Zapier's cache is unavailable at times. */
async function isReplay(z: ZObject, key: string): Promise<boolean> {
  try {
    if (await z.cache.get(key)) return true;
    await z.cache.set(key, true, MAX_AGE_SECONDS);
    return false;
  } catch {
    return false;
  }
}

/** Whether an event matches the filters of the trigger. */
function matches({ data }: WebhookEvent, { channel: wanted, template }: Bundle['inputData'] = {}): boolean {
  const { authType, channel = authType } = data;
  // `Sms` and `sms` are the channel SMS.
  const isChannel = !wanted || String(channel).toUpperCase() === wanted;
  return isChannel && (!template || data.template === template);
}

const receive = (event: EventName) => async (z: ZObject, bundle: Bundle) => {
  const { headers = {}, content = '' } = bundle.rawRequest ?? {};
  const { id, secret } = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  const age = signatureAge(headers, content, secret, Date.now() / 1000);
  // A HaltedError, because repeated errors of forged calls would turn the Zap off.
  if (age === undefined) throw haltedError(z, 'This request has no valid Passbell signature.');
  const received = JSON.parse(content) as WebhookEvent;
  if (age > DELAYED_AFTER_SECONDS && (await isReplay(z, `${id} ${received.id}`))) return [];
  return received.event === event && matches(received, bundle.inputData) ? [eventOutput(received)] : [];
};

/** Recent events, newest first, for the Zap editor. */
const recent = (event: EventName) => async (z: ZObject, bundle: Bundle) => {
  const { data } = await call<{ events: WebhookEvent[] }>(z, bundle, {
    method: 'GET',
    path: '/webhooks/recent',
    params: { event },
    expects: { 'data.events': 'array' },
  });
  return data.events.filter((found) => matches(found, bundle.inputData)).map(eventOutput);
};

const eventFields: OutputFields = [
  { key: 'id', label: 'Event ID', type: 'string', primary: true },
  { key: 'event', label: 'Event', type: 'string' },
  { key: 'createdAt', label: 'Happened At', type: 'datetime' },
];

export function eventTrigger<const Key extends string>(options: {
  readonly key: Key;
  readonly event: EventName;
  readonly noun: string;
  /** Filters of the trigger. */
  readonly inputFields?: InputFields;
  readonly outputFields: OutputFields;
  /** `data` of an event, as the service sends it. */
  readonly sample: Readonly<Record<string, unknown>>;
}) {
  const { key, event, noun, inputFields = [], outputFields, sample } = options;
  const { label, help } = EVENTS[event];
  return defineTrigger({
    key,
    noun,
    display: { label, description: `Triggers when ${help.charAt(0).toLowerCase()}${help.slice(1)}` },
    operation: {
      type: 'hook',
      inputFields,
      perform: receive(event),
      performList: recent(event),
      performSubscribe: subscribe(event),
      performUnsubscribe: unsubscribe,
      outputFields: [...eventFields, ...outputFields],
      sample: eventOutput({ id: 'EVT-0f8fad5bd9cb469fa16570867728950e', event, createdTime: 1772704830, data: sample }),
    },
  });
}
