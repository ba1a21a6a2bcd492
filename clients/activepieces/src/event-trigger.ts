/** The trigger, which starts a flow for each event of the Passbell server. */
import { createTrigger, DEDUPE_KEY_PROPERTY, Property, TriggerStrategy } from '@activepieces/pieces-framework';
import { EVENTS } from '../../connectors/generated/connectors.js';
import { PassbellError, verifyWebhook, type EventName } from '../../node/src/index.js';
import { auth, clientFor, readableError } from './connection.js';

/** Name of the stored webhook. */
const STORED = 'webhook';

interface Webhook {
  readonly webhookId: string;
  readonly secret: string;
}

const options = Object.entries(EVENTS).map(([value, { label }]) => ({ value: value as EventName, label }));

export const eventTrigger = createTrigger({
  auth,
  name: 'event',
  displayName: 'Event',
  description: 'Starts the flow for each selected event, such as a verified code or a failed message.',
  type: TriggerStrategy.WEBHOOK,
  props: {
    events: Property.StaticMultiSelectDropdown({ displayName: 'Events', required: true, options: { options } }),
  },
  sampleData: {
    id: 'EVT-7f3a',
    event: 'message.accepted',
    createdTime: 1772366400,
    data: { messageId: '9a41c0', authType: 'Sms', to: '+1415*****23', state: 'sent', template: 'order_shipped' },
  },
  async onEnable({ auth: { props }, propsValue: { events }, webhookUrl, store }) {
    try {
      const { webhookId, secret } = await clientFor(props).createWebhook({ url: webhookUrl, events });
      await store.put<Webhook>(STORED, { webhookId, secret });
    } catch (error) {
      throw readableError(undefined, error);
    }
  },
  async onDisable({ auth: { props }, store }) {
    const webhook = await store.get<Webhook>(STORED);
    if (!webhook) return;
    await store.delete(STORED);
    await clientFor(props)
      .removeWebhook(webhook.webhookId)
      .catch((error: unknown) => {
        // It was already deleted.
        if (!(error instanceof PassbellError) || !error.code.includes('NOT_FOUND'))
          throw readableError(undefined, error);
      });
  },
  /** Returns nothing for a request without a valid signature. Activepieces ignores an event that arrives twice. */
  async run({ payload: { body, rawBody, headers }, store }) {
    const webhook = await store.get<Webhook>(STORED);
    const text = typeof rawBody === 'string' ? rawBody : JSON.stringify(body);
    if (!webhook) return [];
    const event = await verifyWebhook({ body: text, headers, secret: webhook.secret }).catch(() => undefined);
    return event ? [{ ...event, [DEDUPE_KEY_PROPERTY]: event.id }] : [];
  },
});
