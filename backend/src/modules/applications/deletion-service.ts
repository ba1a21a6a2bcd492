/** Deletes applications, and restores them during the grace period. `erasure/application-erasure.ts` erases their rows. */
import { DAY, type Clock } from '../../platform/clock.js';
import type { Actor } from '../access/actor.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ApplicationsStore } from './applications-store.js';
import type { ChangeApplication } from './change-application.js';

/** Days in which a deleted application can be restored. */
export const DELETION_GRACE_DAYS = 7;

export function createDeletionService(
  store: ApplicationsStore,
  changeApplication: ChangeApplication,
  audit: AuditService,
  clock: Clock,
) {
  /**
   * Makes an application reject all requests, and erases it after the grace period. Returns the time of the erasure.
   * Does not postpone an earlier deletion.
   */
  const remove = (actor: Actor, appKey: string): Promise<number> =>
    changeApplication(actor, 'own', appKey, async (trx, { id, accountId, name: subject, deleteAt: earlier }) => {
      if (earlier !== null) return earlier;
      const deleteAt = clock.now() + DELETION_GRACE_DAYS * DAY;
      await store.setDeleteAt(trx, id, deleteAt);
      const changes = [{ name: 'erased at', before: '', after: new Date(deleteAt).toISOString() }];
      await audit.record(trx, actor, { accountId, action: 'application.delete', subject, changes });
      return deleteAt;
    });

  /** Restores a deleted application. Returns false if the grace period has ended or the application is not deleted. */
  const restore = (actor: Actor, appKey: string): Promise<boolean> =>
    changeApplication(actor, 'own', appKey, async (trx, { id, accountId, name: subject, deleteAt }) => {
      if (deleteAt === null || deleteAt <= clock.now()) return false;
      await store.setDeleteAt(trx, id, null);
      await audit.record(trx, actor, { accountId, action: 'application.restore', subject });
      return true;
    });

  return { remove, restore };
}
