/** Creates, changes and removes the hooks and automations of an application, and reads their events. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { changesBetween, type AuditAction, type Change } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import {
  bodyContext,
  secretContext,
  type Automation,
  type Hook,
  type HookKind,
  type ReceivedEvent,
} from './automation.js';
import type { EventsStore } from './events-store.js';
import type { HooksStore } from './hooks-store.js';
import { fieldsFor, mentions } from './mapping.js';
import type { JsonObject } from './shop.js';
import { SHOPS } from './shops.js';

/** Limits that bound what an application stores, and what an event costs. */
const HOOKS_PER_APPLICATION = 10;
const AUTOMATIONS_PER_HOOK = 20;
/** Maximum number of events that the log shows. */
const SHOWN_EVENTS = 50;

export interface AutomationsDependencies {
  readonly hooks: HooksStore;
  readonly events: EventsStore;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export type NewAutomation = Pick<Automation, 'event' | 'template' | 'channel'>;
export type AutomationChange = Partial<Pick<Automation, 'channel' | 'fields' | 'enabled'>>;

/** A received event with its content. */
export interface Sample {
  readonly event: ReceivedEvent;
  readonly body: JsonObject;
}

export type AutomationsService = ReturnType<typeof createAutomationsService>;

function createErase({ hooks, events, keyring }: Pick<AutomationsDependencies, 'hooks' | 'events' | 'keyring'>) {
  /** Deletes the events that contain a phone number or email address. Returns their number. */
  return async function erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
    const all = await Promise.all(applicationIds.map((id) => hooks.list(id, trx)));
    const byId = new Map(all.flat().map((hook) => [hook.id, hook]));
    let erased = 0;
    for (let last = 0; ;) {
      const batch = await events.withBody(trx, applicationIds, last);
      if (batch.length === 0) return erased;
      for (const { id, hookId, bodySealed } of batch) {
        const hook = byId.get(hookId);
        const isReadable = hook && keyring.canOpen(bodySealed!);
        if (isReadable && !mentions(JSON.parse(keyring.open(bodyContext(hook), bodySealed!)), address)) continue;
        await events.removeEvent(trx, id);
        erased++;
      }
      last = batch.at(-1)!.id;
    }
  };
}

/** Reseals all secrets with the newest key. Returns the number of resealed secrets. */
async function resealAll({ hooks, keyring }: Pick<AutomationsDependencies, 'hooks' | 'keyring'>): Promise<number> {
  let resealed = 0;
  for (let last = 0; ;) {
    const batch = await hooks.batch(last);
    if (batch.length === 0) return resealed;
    for (const hook of batch) {
      const sealed = keyring.reseal(secretContext(hook), hook.secretSealed!);
      if (sealed === undefined) continue;
      await hooks.reseal(hook.id, hook.secretSealed!, sealed);
      resealed++;
    }
    last = batch.at(-1)!.id;
  }
}

export function createAutomationsService(dependencies: AutomationsDependencies) {
  const { hooks, events, inTransaction, audit, keyring, clock } = dependencies;

  type Recorded<T> = { readonly result: T; readonly changes?: readonly Change[] };

  /** Runs a change by an owner in a transaction with its audit entry. */
  function change<T>(
    actor: Actor,
    { accountId, name: subject }: Application,
    action: AuditAction,
    work: (trx: Knex) => Promise<Recorded<T>>,
  ): Promise<T> {
    requireRight(actor, 'own');
    return inTransaction(async (trx) => {
      const { result, changes = [] } = await work(trx);
      await audit.record(trx, actor, { accountId, action, subject, changes });
      return result;
    });
  }

  const added = (name: string, after: string): Change => ({ name, before: '', after });
  const removed = (name: string, before: string): Change => ({ name, before, after: '' });

  const seal = (hook: Pick<Hook, 'hookId'>, secret: string): string => keyring.seal(secretContext(hook), secret);

  /**
   * Creates a hook. Returns its secret, which is not shown again; undefined if the shop creates the secret, which a
   * person then enters.
   */
  const createHook = (actor: Actor, application: Application, kind: HookKind) =>
    change(actor, application, 'hook.create', async (trx) => {
      await hooks.lock(trx, 'applications', application.id);
      if ((await hooks.list(application.id, trx)).length >= HOOKS_PER_APPLICATION)
        throw new ApiError('INVALID_PARAMETER', {
          values: { text: `An application can have at most ${HOOKS_PER_APPLICATION} connected shops` },
          hint: 'Disconnect one that you no longer use.',
        });
      const hookId = random.hex(16);
      const secret = SHOPS[kind].createsSecret ? undefined : random.hex(32);
      const secretSealed = secret === undefined ? null : seal({ hookId }, secret);
      await hooks.insert(trx, { hookId, applicationId: application.id, kind, secretSealed, createdAt: clock.now() });
      return { result: { hookId, secret }, changes: [added(hookId, SHOPS[kind].label)] };
    });

  /** Replaces the secret immediately. Creates a new one without `secret`. Returns the secret. */
  const setSecret = (actor: Actor, application: Application, hook: Hook, secret = random.hex(32)) =>
    change(actor, application, 'hook.secret', async (trx) => {
      await hooks.setSecret(trx, hook.id, seal(hook, secret));
      return { result: secret, changes: [added('hook', hook.hookId)] };
    });

  const removeHook = (actor: Actor, application: Application, hook: Hook) =>
    change(actor, application, 'hook.remove', async (trx) => {
      await hooks.remove(trx, hook.id);
      return { result: undefined, changes: [removed(hook.hookId, SHOPS[hook.kind].label)] };
    });

  /** Creates an automation, which is off. Its fields are filled in with the preset of the shop. Returns its id. */
  const create = (actor: Actor, application: Application, hook: Hook, automation: NewAutomation) =>
    change(actor, application, 'automation.create', async (trx) => {
      await hooks.lock(trx, 'incoming_hooks', hook.id);
      if ((await hooks.automations(hook.id, trx)).length >= AUTOMATIONS_PER_HOOK)
        throw new ApiError('INVALID_PARAMETER', {
          values: { text: `A shop can have at most ${AUTOMATIONS_PER_HOOK} automations` },
          hint: 'Delete one that you no longer use.',
        });
      const { fields: presets, email } = SHOPS[hook.kind];
      const to = automation.channel === 'EMAIL' ? { to: email } : {};
      const fields = fieldsFor(automation.template, { ...presets, ...to });
      const row = { ...automation, hookId: hook.id, applicationId: application.id, fields, enabled: false };
      const id = await hooks.insertAutomation(trx, row, clock.now());
      return { result: id, changes: [added(`${automation.event}: ${automation.template}`, 'off')] };
    });

  const update = (actor: Actor, application: Application, automation: Automation, changed: AutomationChange) =>
    change(actor, application, 'automation.change', async (trx) => {
      await hooks.updateAutomation(trx, { ...automation, ...changed });
      const { event, template } = automation;
      return {
        result: undefined,
        changes: [added('automation', `${event}: ${template}`), ...changesBetween(automation, changed)],
      };
    });

  const remove = (actor: Actor, application: Application, { id, event, template }: Automation) =>
    change(actor, application, 'automation.remove', async (trx) => {
      await hooks.removeAutomation(trx, id);
      return { result: undefined, changes: [removed('automation', `${event}: ${template}`)] };
    });

  /** Returns a hook of the application; undefined if it does not exist. */
  async function findHook({ id }: Application, hookId: string): Promise<Hook | undefined> {
    const hook = await hooks.find(hookId);
    return hook?.applicationId === id ? hook : undefined;
  }

  /** Returns the latest events. Only owners may see them. */
  function log(actor: Actor, { id }: Hook): Promise<readonly ReceivedEvent[]> {
    requireRight(actor, 'own');
    return events.latest(id, SHOWN_EVENTS);
  }

  /** Returns the newest event with this name, or else the newest event; undefined if no content is stored. */
  async function sample(actor: Actor, hook: Hook, event: string): Promise<Sample | undefined> {
    requireRight(actor, 'own');
    const stored = (await events.samples(hook.id)).filter(({ bodySealed }) => keyring.canOpen(bodySealed!));
    const found = stored.find(({ delivery }) => delivery.events.some(({ name }) => name === event)) ?? stored[0];
    if (!found) return undefined;
    return { event: found, body: JSON.parse(keyring.open(bodyContext(hook), found.bodySealed!)) as JsonObject };
  }

  return {
    createHook,
    setSecret,
    removeHook,
    create,
    update,
    remove,
    findHook,
    log,
    sample,
    list: ({ id }: Application): Promise<Hook[]> => hooks.list(id),
    automations: ({ id }: Hook): Promise<Automation[]> => hooks.automations(id),
    reseal: () => resealAll(dependencies),
    erase: createErase(dependencies),
  };
}
