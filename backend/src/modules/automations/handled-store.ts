/** Stores which events of an order were handled, so that repeated deliveries send nothing. */
import { DAY } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { isDuplicate } from '../../platform/db/database-errors.js';
import { HANDLED_DAYS, type ReceivedEvent } from './automation.js';

export type HandledStore = ReturnType<typeof createHandledStore>;

interface Claim {
  /** Hash of the shop, the order and the event. */
  readonly id: string;
  readonly event: Pick<ReceivedEvent, 'id' | 'shopId' | 'applicationId' | 'delivery'>;
  readonly now: number;
}

export function createHandledStore(db: Database) {
  return {
    /** Claims an event of an order. Returns false if another delivery has claimed it. */
    async claim({ id, event, now }: Claim): Promise<boolean> {
      const { shopId, applicationId, delivery } = event;
      try {
        await db('handled_events').insert({
          id,
          hook_id: shopId,
          application_id: applicationId,
          event_id: event.id,
          changed_at: delivery.changedAt ?? null,
          created_at: now,
        });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const found = await db('handled_events').where({ id }).first('event_id');
        return found !== undefined && Number(found.event_id) === event.id;
      }
    },

    /** Allows a later delivery to claim the event. */
    async release(id: string, eventId: number): Promise<void> {
      await db('handled_events').where({ id, event_id: eventId }).delete();
    },

    /** Whether a claimed event belongs to a change of the order after `changedAt`. */
    async wasClaimedAfter(id: string, changedAt: number): Promise<boolean> {
      return (await db('handled_events').where({ id }).where('changed_at', '>', changedAt).first('id')) !== undefined;
    },

    async cleanUp(now: number): Promise<void> {
      const old = () => db('handled_events').where('created_at', '<', now - HANDLED_DAYS * DAY);
      await deleteInChunks(old, 'id');
    },
  };
}
