/** Sends a message for each event of the Passbell server, which calls a webhook of this Node-RED. */
import { verifyWebhook, type EventName } from '../../node/src/index.js';
import type { FlowNode, NodeConfig, NodeRed } from './node-red.js';
import { failureOf } from './failure.js';
import { listen, type Call, type Reply } from './routes.js';
import type { ServerNode } from './server.js';

/** Number of stored event IDs. Passbell retries a call that got no reply in time, and the retried event is ignored. */
const RECENT_EVENTS = 100;

interface Webhook {
  readonly webhookId: string;
  readonly secret: string;
}

/** Pause after a failed start. */
const RETRY_MS = 30_000;

/** Webhooks by node ID. They survive a deploy. Node-RED's context store would show the secrets in the editor. */
const webhooks = new Map<string, Webhook>();

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join();

/** Returns the webhook of an earlier deploy if it has the same events, and creates one otherwise. */
async function subscribe(
  node: FlowNode,
  server: ServerNode,
  url: string,
  events: readonly EventName[],
): Promise<Webhook> {
  const client = server.client();
  const stored = webhooks.get(node.id);
  const existing = (await client.listWebhooks()).filter((webhook) => webhook.url === url);
  const ours = existing.find(({ webhookId, events: own }) => webhookId === stored?.webhookId && isSame(own, events));
  // The secrets of the other webhooks are lost, so their calls would be rejected.
  for (const { webhookId } of existing) if (webhookId !== ours?.webhookId) await client.removeWebhook(webhookId);
  if (stored && ours) return stored;
  const { webhookId, secret } = await client.createWebhook({ url, events: [...events] });
  webhooks.set(node.id, { webhookId, secret });
  return { webhookId, secret };
}

/** Sends an event once, if its signature is valid. */
async function receive(node: FlowNode, seen: string[], secret: string, { body, headers }: Call): Promise<Reply> {
  const event = await verifyWebhook({ body, headers, secret }).catch(() => undefined);
  if (!event) return { status: 401, json: { message: 'The request has no valid Passbell signature' } };
  if (seen.includes(event.id)) return { status: 200, json: { message: 'Event already received' } };
  seen.unshift(event.id);
  seen.length = Math.min(seen.length, RECENT_EVENTS);
  const { id, event: topic, createdTime, data } = event;
  node.send([{ topic, payload: data, eventId: id, createdAt: new Date(createdTime * 1000).toISOString() }]);
  return { status: 200, json: { message: 'Event received' } };
}

export function registerEvents(RED: NodeRed): void {
  RED.nodes.registerType('passbell-events', function (this: FlowNode, config: NodeConfig) {
    RED.nodes.createNode(this, config);
    const seen: string[] = [];
    const server = RED.nodes.getNode(String(config.server)) as ServerNode | null;
    const events = Object.keys((config.events ?? {}) as object) as EventName[];
    let stopListening = () => {};

    const start = async () => {
      if (!server) throw new Error('Choose a Passbell server in this node');
      const { secret } = await subscribe(this, server, server.callbackUrl(`/passbell/${this.id}`), events);
      stopListening = listen(this.id, (call) => receive(this, seen, secret, call));
      this.status({ fill: 'green', shape: 'dot', text: 'listening' });
    };
    let retry: NodeJS.Timeout | undefined;
    const startOrRetry = (): Promise<void> =>
      start().catch((error: unknown) => {
        const failure = failureOf(undefined, error);
        this.status({ fill: 'red', shape: 'ring', text: failure.error });
        this.error(`${failure.error}. ${failure.message}`.trim());
        // Passbell may start later than Node-RED.
        retry = setTimeout(() => void (started = startOrRetry()), RETRY_MS);
      });
    let started = startOrRetry();

    this.on('close', (removed, done) => {
      const remove = async () => {
        await started;
        clearTimeout(retry);
        stopListening();
        const webhook = webhooks.get(this.id);
        if (!removed || !webhook) return;
        webhooks.delete(this.id);
        await server?.client().removeWebhook(webhook.webhookId);
      };
      remove().then(done, (error: unknown) => {
        this.warn(failureOf(undefined, error).error);
        done();
      });
    });
  });
}
