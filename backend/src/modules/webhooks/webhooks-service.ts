/** Creates, lists and removes an application's webhooks. */
import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus.js';
import { SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random } from '../../platform/crypto.js';
import { EditConflictError, requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import { publicName } from './event.js';
import { WEBHOOKS_TOPIC } from './outbox.js';
import { newSecret, secretContext, type Webhook } from './webhook.js';
import type { WebhooksStore } from './webhooks-store.js';

type CreatedWebhook = Schemas['WebhookReply']['data'];

/** Maximum number of webhooks per application. An event is stored and sent once for each webhook. */
const WEBHOOKS_PER_APPLICATION = 50;

/**
 * Returns the part of a URL that the audit log records. The path and the query are left out, because they may contain a
 * key.
 */
const originOf = (url: string): string => new URL(url).origin;

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'keyring'> {
  readonly store: WebhooksStore;
  readonly bus: Pick<Bus, 'publish'>;
  readonly mayCall: (url: URL) => Promise<boolean>;
}

export function createWebhooksService(dependencies: Dependencies) {
  const { store, inTransaction, bus, audit, keyring, clock, mayCall } = dependencies;

  /** Changes an application's webhooks, and notifies all processes, which cache the webhooks. */
  async function change<T>(applicationId: number, work: (trx: Knex) => Promise<T>): Promise<T> {
    const result = await inTransaction(work);
    bus.publish(WEBHOOKS_TOPIC, String(applicationId));
    return result;
  }

  async function insert(
    trx: Knex,
    { id }: Application,
    request: Schemas['WebhookRequest'],
    webhookId = `WHK-${random.hex(16)}`,
  ): Promise<CreatedWebhook> {
    // Concurrent calls may exceed the limit by a few webhooks, which is harmless: the limit only bounds the cost of an
    // event.
    if ((await store.list(id, trx)).length >= WEBHOOKS_PER_APPLICATION) throw new ApiError('TOO_MANY_WEBHOOKS');
    if (await store.find(id, webhookId, trx)) throw new EditConflictError(`there is already a webhook ${webhookId}`);
    const webhook = {
      webhookId,
      url: request.url,
      events: [...new Set(request.events)],
    };
    const secret = newSecret();
    const secretSealed = keyring.seal(secretContext(webhook), secret);
    await store.insert(trx, { ...webhook, applicationId: id, secretSealed, createdAt: clock.now() });
    return { ...webhook, secret };
  }

  async function assertCallable({ url }: Schemas['WebhookRequest']): Promise<void> {
    // Every rejected URL gets the same error, so that callers learn nothing about the names and addresses of this
    // network.
    if (!(await mayCall(new URL(url)))) throw new ApiError('INVALID_WEBHOOK_URL');
  }

  /** Creates a webhook on behalf of the application. Returns its signing secret, which is not shown again. */
  async function subscribe(application: Application, request: Schemas['WebhookRequest']): Promise<CreatedWebhook> {
    await assertCallable(request);
    return change(application.id, (trx) => insert(trx, application, request));
  }

  /**
   * Same as {@link subscribe}, on behalf of a person, an API key or the operator. Throws an {@link EditConflictError} if the
   * application has a webhook with the given `webhookId`.
   */
  async function create(
    actor: Actor,
    application: Application,
    request: Schemas['WebhookRequest'],
    webhookId?: string,
  ): Promise<CreatedWebhook> {
    requireRight(actor, 'own');
    await assertCallable(request);
    return change(application.id, async (trx) => {
      const created = await insert(trx, application, request, webhookId);
      const changes = [{ name: created.webhookId, before: '', after: originOf(created.url) }];
      const { accountId, name: subject } = application;
      await audit.record(trx, actor, { accountId, action: 'webhook.create', subject, changes });
      return created;
    });
  }

  async function list(applicationId: number): Promise<Schemas['Webhook'][]> {
    const webhooks = await store.list(applicationId);
    return webhooks.map(({ webhookId, url, events, createdAt, failures }) => ({
      webhookId,
      url,
      events: events.map(publicName),
      createdTime: Math.floor(createdAt / SECOND),
      failures,
    }));
  }

  /** Removes a webhook on behalf of the application. Does nothing if the application has no webhook with this id. */
  async function unsubscribe({ id }: Application, webhookId: string): Promise<void> {
    await change(id, (trx) => store.remove(trx, id, webhookId));
  }

  /**
   * Same as {@link unsubscribe}, on behalf of a person or the operator. Returns false if the application has no webhook
   * with this id.
   */
  async function remove(actor: Actor, application: Application, webhookId: string): Promise<boolean> {
    requireRight(actor, 'own');
    return change(application.id, async (trx) => {
      const url = await store.remove(trx, application.id, webhookId);
      if (url === undefined) return false;
      const changes = [{ name: webhookId, before: originOf(url), after: '' }];
      const { accountId, name: subject } = application;
      await audit.record(trx, actor, { accountId, action: 'webhook.remove', subject, changes });
      return true;
    });
  }

  /** Returns an application's webhooks, oldest first. */
  const listAll = ({ id }: Application): Promise<Webhook[]> => store.list(id);

  return { subscribe, create, list, listAll, unsubscribe, remove, reseal: () => store.reseal(keyring), change };
}
