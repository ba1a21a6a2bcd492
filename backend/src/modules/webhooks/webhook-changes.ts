/** What owners do with an existing webhook: change, pause, rotate the secret, test, and send events again. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { changesBetween, type AuditAction, type Change } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import type { AttemptsStore } from './attempts-store.js';
import type { EventName } from './event.js';
import type { OutboxStore } from './outbox-store.js';
import { sampleEvent } from './sample-events.js';
import { newSecret, PAUSED, secretContext, type Attempt, type Webhook } from './webhook.js';
import type { WebhooksStore } from './webhooks-store.js';

/** Maximum number of calls that the log of a webhook shows. */
const SHOWN_ATTEMPTS = 50;

export interface WebhookChangesDependencies {
  readonly store: WebhooksStore;
  readonly outbox: Pick<OutboxStore, 'insert' | 'pending'>;
  readonly attempts: AttemptsStore;
  /** Runs a change in a transaction, and notifies all processes. */
  readonly change: <T>(applicationId: number, work: (trx: Knex) => Promise<T>) => Promise<T>;
  readonly audit: AuditService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** The log of a webhook. */
export interface WebhookLog {
  /** The latest calls, newest first. */
  readonly attempts: readonly Attempt[];
  /** The number of events that wait to be sent. */
  readonly pending: number;
}

export function createWebhookChanges(dependencies: WebhookChangesDependencies) {
  const { store, outbox, attempts, change, audit, keyring, clock } = dependencies;

  /**
   * Changes a webhook of the application, and records the change. Returns undefined if there is no such webhook, or `work`
   * changes nothing. `work` returns the result, and the audit log's changes.
   */
  function changeWebhook<T>(
    actor: Actor,
    application: Application,
    webhookId: string,
    action: AuditAction,
    work: (
      trx: Knex,
      webhook: Webhook,
    ) => Promise<{ readonly changes?: readonly Change[]; readonly result: T } | undefined>,
  ): Promise<T | undefined> {
    requireRight(actor, 'own');
    return change(application.id, async (trx) => {
      const webhook = await store.find(application.id, webhookId, trx);
      if (!webhook) return undefined;
      const done = await work(trx, webhook);
      if (!done) return undefined;
      const { changes = [], result } = done;
      const named = [{ name: 'webhook', before: '', after: webhookId }, ...changes];
      const { accountId, name: subject } = application;
      await audit.record(trx, actor, { accountId, action, subject, changes: named });
      return result;
    });
  }

  const setEvents = (actor: Actor, application: Application, webhookId: string, events: readonly EventName[]) =>
    changeWebhook(actor, application, webhookId, 'webhook.change', async (trx, webhook) => {
      await store.update(trx, webhook.id, { events });
      const texts = ({ events: names }: { readonly events: readonly EventName[] }) => ({ events: names.join(', ') });
      return { changes: changesBetween(texts(webhook), texts({ events })), result: true };
    });

  /** Events of a paused webhook wait for at most 24 hours. Resuming also ends a pause after failures. */
  const setPaused = (actor: Actor, application: Application, webhookId: string, paused: boolean) =>
    changeWebhook(actor, application, webhookId, paused ? 'webhook.pause' : 'webhook.resume', async (trx, { id }) => {
      await store.update(trx, id, paused ? { restsUntil: PAUSED } : { restsUntil: 0, failures: 0 });
      return { result: true };
    });

  /** Replaces the signing secret at once. Returns the new one, which is not shown again. */
  const rotateSecret = (actor: Actor, application: Application, webhookId: string) =>
    changeWebhook(actor, application, webhookId, 'webhook.rotate-secret', async (trx, webhook) => {
      const secret = newSecret();
      await store.update(trx, webhook.id, { secretSealed: keyring.seal(secretContext(webhook), secret) });
      return { result: secret };
    });

  /** Enqueues a sample event. Returns the event's id. */
  const sendTest = (actor: Actor, application: Application, webhookId: string, event: EventName) =>
    changeWebhook(actor, application, webhookId, 'webhook.test', async (trx, { id }) => {
      const now = clock.now();
      const body = sampleEvent(event, application, now);
      await outbox.insert(trx, [{ webhookId: id, eventId: body.id, body: JSON.stringify(body) }], now);
      return { result: body.id };
    });

  /** Enqueues the event of a call again, with the same id. Returns undefined if the log has no such call. */
  const resend = (actor: Actor, application: Application, webhookId: string, attemptId: number) =>
    changeWebhook(actor, application, webhookId, 'webhook.resend', async (trx, { id }) => {
      const found = await attempts.find(trx, id, attemptId);
      if (!found) return undefined;
      const { eventId, body } = found;
      await outbox.insert(trx, [{ webhookId: id, eventId, body }], clock.now());
      return { changes: [{ name: 'event', before: '', after: eventId }], result: eventId };
    });

  /** Returns the log of a webhook. Replies can contain data of the receiver, so only owners see them. */
  async function log(actor: Actor, { id }: Webhook): Promise<WebhookLog> {
    requireRight(actor, 'own');
    return { attempts: await attempts.latest(id, SHOWN_ATTEMPTS), pending: await outbox.pending(id) };
  }

  const find = ({ id }: Application, webhookId: string): Promise<Webhook | undefined> => store.find(id, webhookId);

  return { find, log, setEvents, setPaused, rotateSecret, sendTest, resend };
}
