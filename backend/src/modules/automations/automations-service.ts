/** Connects an application's shops, changes their automations, and reads their events. */
import type { Knex } from 'knex';
import { ApiError } from '../../platform/contract/errors.js';
import { random } from '../../platform/crypto.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { changesBetween, type AuditAction, type Change } from '../audit/audit.js';
import type { Shared } from '../audit/audit-service.js';
import type { Automation, ShopConnection, ShopKind, ReceivedEvent } from './automation.js';
import { bodyContext, secretContext } from './automation.js';
import type { EventsStore } from './events-store.js';
import type { ShopsStore } from './shops-store.js';
import { fieldsFor, mentions } from './mapping.js';
import type { JsonObject } from './shop-type.js';
import { recipientFor, SHOP_TYPES } from './shop-types.js';

/** Limits that bound what an application stores, and what an event costs. */
const SHOPS_PER_APPLICATION = 10;
const AUTOMATIONS_PER_SHOP = 20;
const SHOWN_EVENTS = 50;

export interface AutomationsDependencies extends Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'keyring'> {
  readonly shops: ShopsStore;
  readonly events: EventsStore;
}

export type NewAutomation = Pick<Automation, 'event' | 'template' | 'channel'>;
export type AutomationChange = Partial<Pick<Automation, 'channel' | 'fields' | 'enabled'>>;

export interface Sample {
  readonly event: ReceivedEvent;
  readonly body: JsonObject;
}

type Fields = Automation['fields'];

const changesOfFields = (before: Fields, after: Fields) =>
  changesBetween(before, { ...Object.fromEntries(Object.keys(before).map((name) => [name, undefined])), ...after });

export type AutomationsService = ReturnType<typeof createAutomationsService>;

function createErase({ shops, events, keyring }: Pick<AutomationsDependencies, 'shops' | 'events' | 'keyring'>) {
  /** Deletes the events that contain a phone number or email address. Returns their number. */
  return async function erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
    const all = await Promise.all(applicationIds.map((id) => shops.list(id, trx)));
    const byId = new Map(all.flat().map((shop) => [shop.id, shop]));
    let erased = 0;
    for (let last = 0; ;) {
      const batch = await events.withBody(trx, applicationIds, last);
      if (batch.length === 0) return erased;
      for (const { id, shopId, bodySealed } of batch) {
        const shop = byId.get(shopId);
        const isReadable = shop && keyring.canOpen(bodySealed!);
        if (isReadable && !mentions(JSON.parse(keyring.open(bodyContext(shop), bodySealed!)), address)) continue;
        await events.removeEvent(trx, id);
        erased++;
      }
      last = batch.at(-1)!.id;
    }
  };
}

export function createAutomationsService(dependencies: AutomationsDependencies) {
  const { shops, events, inTransaction, audit, keyring, clock } = dependencies;

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

  const seal = (shop: Pick<ShopConnection, 'publicId'>, secret: string): string =>
    keyring.seal(secretContext(shop), secret);

  /**
   * Connects a shop. Returns its secret, which is not shown again; undefined if the shop creates the secret, which a
   * person then enters.
   */
  const connect = (actor: Actor, application: Application, kind: ShopKind) =>
    change(actor, application, 'hook.create', async (trx) => {
      await shops.lock(trx, 'applications', application.id);
      if ((await shops.list(application.id, trx)).length >= SHOPS_PER_APPLICATION)
        throw new ApiError('INVALID_PARAMETER', {
          values: { text: `An application can have at most ${SHOPS_PER_APPLICATION} connected shops` },
          hint: 'Disconnect a shop that you no longer use.',
        });
      const publicId = random.hex(16);
      const secret = SHOP_TYPES[kind].createsSecret ? undefined : random.hex(32);
      const secretSealed = secret === undefined ? null : seal({ publicId }, secret);
      await shops.insert(trx, {
        publicId,
        applicationId: application.id,
        kind,
        secretSealed,
        createdAt: clock.now(),
      });
      return { result: { publicId, secret }, changes: [added(publicId, SHOP_TYPES[kind].label)] };
    });

  /** Replaces the secret immediately. Creates a new one without `secret`. Returns the secret. */
  const setSecret = (actor: Actor, application: Application, shop: ShopConnection, secret = random.hex(32)) =>
    change(actor, application, 'hook.secret', async (trx) => {
      await shops.setSecret(trx, shop.id, seal(shop, secret));
      return { result: secret, changes: [added('hook', shop.publicId)] };
    });

  const disconnect = (actor: Actor, application: Application, shop: ShopConnection) =>
    change(actor, application, 'hook.remove', async (trx) => {
      await shops.remove(trx, shop.id);
      return { result: undefined, changes: [removed(shop.publicId, SHOP_TYPES[shop.kind].label)] };
    });

  /** Creates an automation, which is off. Its fields are filled in with the preset of the shop. Returns its id. */
  const create = (actor: Actor, application: Application, shop: ShopConnection, automation: NewAutomation) =>
    change(actor, application, 'automation.create', async (trx) => {
      await shops.lock(trx, 'incoming_hooks', shop.id);
      if ((await shops.automations(shop.id, trx)).length >= AUTOMATIONS_PER_SHOP)
        throw new ApiError('INVALID_PARAMETER', {
          values: { text: `A shop can have at most ${AUTOMATIONS_PER_SHOP} automations` },
          hint: 'Delete an automation that you no longer use.',
        });
      const { fields: presets } = SHOP_TYPES[shop.kind];
      const to = recipientFor(shop.kind, automation.channel, presets.to!);
      const fields = fieldsFor(automation.template, { ...presets, to });
      const row = { ...automation, shopId: shop.id, applicationId: application.id, fields, enabled: false };
      const id = await shops.insertAutomation(trx, row, clock.now());
      return { result: id, changes: [added(`${automation.event}: ${automation.template}`, 'off')] };
    });

  const update = (actor: Actor, application: Application, automation: Automation, changed: AutomationChange) =>
    change(actor, application, 'automation.change', async (trx) => {
      await shops.updateAutomation(trx, { ...automation, ...changed });
      const { event, template } = automation;
      const { fields = automation.fields, ...others } = changed;
      return {
        result: undefined,
        changes: [
          added('automation', `${event}: ${template}`),
          ...changesBetween(automation, others),
          ...changesOfFields(automation.fields, fields),
        ],
      };
    });

  const remove = (actor: Actor, application: Application, { id, event, template }: Automation) =>
    change(actor, application, 'automation.remove', async (trx) => {
      await shops.removeAutomation(trx, id);
      return { result: undefined, changes: [removed('automation', `${event}: ${template}`)] };
    });

  /** Returns a shop of the application; undefined if it does not exist. */
  async function findShop({ id }: Application, publicId: string): Promise<ShopConnection | undefined> {
    const shop = await shops.find(publicId);
    return shop?.applicationId === id ? shop : undefined;
  }

  /** Returns the latest events. Only owners may see them. */
  function log(actor: Actor, { id }: ShopConnection): Promise<readonly ReceivedEvent[]> {
    requireRight(actor, 'own');
    return events.latest(id, SHOWN_EVENTS);
  }

  /** Returns the latest events about an order. Only owners may see them. */
  function ofOrder(actor: Actor, applications: readonly Application[], orderNumber: string) {
    requireRight(actor, 'own');
    const ids = applications.map(({ id }) => id);
    return events.ofOrder(ids, orderNumber, SHOWN_EVENTS);
  }

  /** Returns the newest event with this name, or else the newest event; undefined if no content is stored. */
  async function sample(actor: Actor, shop: ShopConnection, event: string): Promise<Sample | undefined> {
    requireRight(actor, 'own');
    const stored = (await events.samples(shop.id)).filter(({ bodySealed }) => keyring.canOpen(bodySealed!));
    const found = stored.find(({ delivery }) => delivery.events.some(({ name }) => name === event)) ?? stored[0];
    if (!found) return undefined;
    return { event: found, body: JSON.parse(keyring.open(bodyContext(shop), found.bodySealed!)) as JsonObject };
  }

  return {
    connect,
    setSecret,
    disconnect,
    create,
    update,
    remove,
    findShop,
    log,
    ofOrder,
    sample,
    list: ({ id }: Application): Promise<ShopConnection[]> => shops.list(id),
    /** Returns the time and the results of the shop's latest event; undefined if the log is empty. */
    lastEvent: async ({ id }: ShopConnection): Promise<ReceivedEvent | undefined> => (await events.latest(id, 1))[0],
    automations: ({ id }: ShopConnection): Promise<Automation[]> => shops.automations(id),
    reseal: () => shops.reseal(keyring),
    erase: createErase(dependencies),
  };
}
