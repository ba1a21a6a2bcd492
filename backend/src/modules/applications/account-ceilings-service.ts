import type { Knex } from 'knex';
import { OPERATOR, requireOperator, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { Shared } from '../audit/audit-service.js';
import { changeValues, checkChange, looserValues, SettingError } from '../settings/bounded-setting.js';
import { ceilingsOf, type AccountCeilings, type CeilingsChange } from './account-ceilings.js';
import { appKeysOf, countApplications, lockCeilings, updateCeilings } from './account-ceilings-store.js';
import { LIMITS, type ApplicationLimits } from './application-limits.js';
import type { Application } from './application.js';
import { fraudAuditValues } from './application-change.js';
import type { ApplicationsStore } from './applications-store.js';
import { APPLICATION_TOPIC } from './change-application.js';

const auditValues = ({ limits, fraud, ...ceilings }: AccountCeilings, other: AccountCeilings) => ({
  ...ceilings,
  ...limits,
  ...fraudAuditValues(fraud, other.fraud, 'any'),
});

export function createAccountCeilingsService(
  store: ApplicationsStore,
  { inTransaction, bus, audit }: Pick<Shared, 'audit' | 'bus' | 'inTransaction'>,
) {
  /** Returns the account's ceilings and its number of applications; undefined for an unknown account. */
  async function ceilings(email: string): Promise<{ ceilings: AccountCeilings; applications: number } | undefined> {
    const accountId = await store.findAccountId(email);
    if (accountId === undefined) return undefined;
    return inTransaction(async (trx) => {
      const { change } = await lockCeilings(trx, accountId);
      const applications = await countApplications(trx, accountId);
      return { ceilings: ceilingsOf(email, change), applications };
    });
  }

  async function change(trx: Knex, actor: Actor, accountId: number, changed: CeilingsChange): Promise<void> {
    requireOperator(actor);
    const { email, change: before } = await lockCeilings(trx, accountId);
    const limits = { ...before.limits, ...changed.limits };
    const after = { ...before, ...changed, limits, fraud: changeValues(before.fraud ?? {}, changed.fraud) };
    const old = ceilingsOf(email, before);
    const now = ceilingsOf(email, after);
    const changes = changesBetween(auditValues(old, now), auditValues(now, old));
    if (changes.length === 0) return;
    await updateCeilings(trx, accountId, after);
    await audit.record(trx, actor, { accountId, action: 'account.ceilings', subject: email, changes });
  }

  /** Changes an account's ceilings. They apply immediately, even to applications with looser stored limits. */
  async function setCeilings(actor: Actor, accountId: number, changed: CeilingsChange): Promise<void> {
    const appKeys = await inTransaction(async (trx) => {
      await change(trx, actor, accountId, changed);
      return appKeysOf(trx, accountId);
    });
    for (const appKey of appKeys) bus.publish(APPLICATION_TOPIC, appKey);
  }

  /**
   * Throws a {@link SettingError} if a limit is looser than its ceiling. For the operator, loosens the ceiling instead.
   */
  async function allowLimits(
    trx: Knex,
    actor: Actor,
    { accountId, ceilings: { limits: bounds } }: Application,
    limits: Partial<ApplicationLimits>,
  ): Promise<void> {
    checkChange(LIMITS, limits);
    const looser = looserValues(LIMITS, limits, bounds, actor === OPERATOR);
    if (Object.keys(looser).length > 0) await change(trx, actor, accountId, { limits: looser });
  }

  /**
   * Throws a {@link SettingError} if the account has reached its maximum number of applications, unless the actor is
   * the operator. Locks the account to prevent parallel calls from exceeding the maximum.
   */
  async function allowApplication(trx: Knex, actor: Actor, accountId: number): Promise<void> {
    if (actor === OPERATOR) return;
    const { email, change: changed } = await lockCeilings(trx, accountId);
    const { applications: maximum } = ceilingsOf(email, changed);
    if (maximum > 0 && (await countApplications(trx, accountId)) >= maximum)
      throw new SettingError(
        'applications',
        `Your account has reached its limit of ${maximum} applications. Ask the operator of this server to raise it.`,
      );
  }

  return { ceilings, setCeilings, allowLimits, allowApplication };
}
