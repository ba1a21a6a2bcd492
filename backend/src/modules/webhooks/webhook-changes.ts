/** Changes to existing webhooks by owners: events, pauses, secret rotation, test events and resends. */
import type { Knex } from 'knex';
import { SECOND } from '../../platform/clock.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { changesBetween, type AuditAction, type Change } from '../audit/audit.js';
import type { Shared } from '../audit/audit-service.js';
import type { AttemptsStore } from './attempts-store.js';
import { DELIVERED_WHEN_ACCEPTED, publicName, type EventName, type Subscription } from './event.js';
import type { OutboxStore } from './outbox-store.js';
import { sampleEvent } from './sample-events.js';
import {
  ATTEMPTS_PER_WEBHOOK,
  failingSince,
  hasNeverWorked,
  newSecret,
  PAUSED,
  secretContext,
  signingSecrets,
  type Attempt,
  type Webhook,
} from './webhook.js';
import type { WebhooksStore } from './webhooks-store.js';

/** Number of calls that the log returns by default. */
const SHOWN_ATTEMPTS = 12;

/** Number of latest calls that determine the webhook's state. */
const callsForState = ({ failures }: Pick<Webhook, 'failures'>): number => (failures > 0 ? ATTEMPTS_PER_WEBHOOK : 1);

/** A webhook that gets `message.delivered` when a provider accepts a message keeps it, unless it also gets that event itself. */
const keepOldMeaning = (webhook: Webhook, events: readonly EventName[]): readonly Subscription[] =>
  webhook.events.includes(DELIVERED_WHEN_ACCEPTED) && !events.includes('message.accepted')
    ? events.map((event) => (event === 'message.delivered' ? DELIVERED_WHEN_ACCEPTED : event))
    : events;

export interface WebhookChangesDependencies extends Pick<Shared, 'audit' | 'clock' | 'keyring'> {
  readonly store: WebhooksStore;
  readonly outbox: Pick<OutboxStore, 'insert' | 'pending' | 'endPause'>;
  readonly attempts: AttemptsStore;
  /** Runs `work` in a transaction, and then notifies all processes. */
  readonly change: <T>(applicationId: number, work: (trx: Knex) => Promise<T>) => Promise<T>;
}

export interface WebhookState {
  /** Undefined if the log is empty. */
  readonly lastCall: Pick<Attempt, 'calledAt' | 'status'> | undefined;
  /** Number of events that are waiting to be sent. */
  readonly pending: number;
  /** When the first of these events is sent; undefined if none is waiting. */
  readonly nextAt: number | undefined;
  /** The first of the latest failures; undefined without failures, or if it is no longer stored. */
  readonly since: number | undefined;
  /** Whether all calls since the webhook was created have failed. */
  readonly neverWorked: boolean;
}

export interface WebhookLog extends WebhookState {
  /** Newest first. */
  readonly attempts: readonly Attempt[];
}

export function createWebhookChanges(dependencies: WebhookChangesDependencies) {
  const { store, outbox, attempts, change, audit, keyring, clock } = dependencies;

  /**
   * Changes an application's webhook, and records the change in the audit log. `work` returns the result and the
   * changes to record; undefined if it changes nothing. Returns the result; undefined if the webhook does not exist or
   * `work` changes nothing.
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
      await store.update(trx, webhook.id, { events: keepOldMeaning(webhook, events) });
      const texts = ({ events: names }: { readonly events: readonly Subscription[] }) => ({
        events: names.map(publicName).join(', '),
      });
      return { changes: changesBetween(texts(webhook), texts({ events })), result: true };
    });

  /**
   * Pauses or resumes a webhook. Events for a paused webhook wait for at most 24 hours. Resuming also ends a pause
   * after failures.
   */
  const setPaused = (actor: Actor, application: Application, webhookId: string, paused: boolean) =>
    changeWebhook(actor, application, webhookId, paused ? 'webhook.pause' : 'webhook.resume', async (trx, { id }) => {
      await store.update(trx, id, paused ? { restsUntil: PAUSED } : { restsUntil: 0, failures: 0 });
      return { result: true };
    });

  /**
   * Replaces the signing secret, at once or after `graceSeconds`. Returns the new secret, which is not shown again. Until
   * then, both secrets sign events.
   */
  const rotateSecret = (actor: Actor, application: Application, webhookId: string, graceSeconds = 0) =>
    changeWebhook(actor, application, webhookId, 'webhook.rotate-secret', async (trx, webhook) => {
      const secret = newSecret();
      const now = clock.now();
      const sealed = keyring.seal(secretContext(webhook), secret);
      const oldSecretValidUntil = now + graceSeconds * SECOND;
      const [current] = signingSecrets(webhook, now);
      const update =
        graceSeconds === 0
          ? { secretSealed: sealed, nextSecretSealed: null, nextSecretAt: null }
          : { secretSealed: current!, nextSecretSealed: sealed, nextSecretAt: oldSecretValidUntil };
      await store.update(trx, webhook.id, update);
      return { result: { secret, oldSecretValidUntil } };
    });

  /** Enqueues an event before all others, and ends the wait after failures, so that the person sees the reply soon. */
  async function sendFirst(trx: Knex, webhook: Webhook, event: { eventId: string; body: string }): Promise<void> {
    await outbox.insert(trx, [{ webhookId: webhook.id, ...event }], clock.now(), 0);
    await outbox.endPause(trx, webhook.id, clock.now());
  }

  /** Sends a sample event. Returns the event's id. */
  const sendTest = (actor: Actor, application: Application, webhookId: string, event: EventName) =>
    changeWebhook(actor, application, webhookId, 'webhook.test', async (trx, webhook) => {
      const body = sampleEvent(event, application, clock.now());
      await sendFirst(trx, webhook, { eventId: body.id, body: JSON.stringify(body) });
      return { result: body.id };
    });

  /** Sends the event of an earlier call again, with the same id. Returns undefined if the log does not contain the call. */
  const resend = (actor: Actor, application: Application, webhookId: string, attemptId: number) =>
    changeWebhook(actor, application, webhookId, 'webhook.resend', async (trx, webhook) => {
      const found = await attempts.find(trx, webhook.id, attemptId);
      if (!found) return undefined;
      const { eventId, body } = found;
      await sendFirst(trx, webhook, { eventId, body });
      return { changes: [{ name: 'event', before: '', after: eventId }], result: eventId };
    });

  /**
   * Returns the latest calls of a webhook's log. Only owners may see them, because the replies can contain the receiver's
   * data.
   */
  async function log(
    actor: Actor,
    webhook: Webhook,
    { limit = SHOWN_ATTEMPTS }: { readonly limit?: number } = {},
  ): Promise<WebhookLog> {
    requireRight(actor, 'own');
    const calls = await attempts.latest(webhook.id, Math.max(limit, callsForState(webhook)));
    return { ...(await stateOf(webhook, calls)), attempts: calls.slice(0, limit) };
  }

  /**
   * Returns the latest call, without its event and reply, and the state of the events that are waiting. `known`: the
   * webhook's latest calls, at least `callsForState` of them, if the caller has read them.
   */
  async function stateOf(webhook: Webhook, known?: readonly Attempt[]): Promise<WebhookState> {
    const { id, failures, restsUntil } = webhook;
    const calls = known ?? (await attempts.latest(id, callsForState(webhook)));
    const { pending, dueAt } = await outbox.pending(id);
    return {
      lastCall: calls[0],
      pending,
      nextAt: pending > 0 ? Math.max(dueAt, restsUntil) : undefined,
      since: failures > 0 ? failingSince(calls, failures) : undefined,
      neverWorked: failures > 0 && hasNeverWorked(webhook, calls, clock.now()),
    };
  }

  const find = ({ id }: Application, webhookId: string): Promise<Webhook | undefined> => store.find(id, webhookId);

  return { find, log, stateOf, setEvents, setPaused, rotateSecret, sendTest, resend };
}
