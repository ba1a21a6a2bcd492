/** The notice about rules that an upgrade made stricter, shown until the operator dismisses it. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { ForbiddenError, requireRight, type Actor } from '../access/actor.js';
import { OPERATOR_ACCOUNT } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import { withOperatorCommand } from '../../platform/config/operator-command.js';
import { STRICTER_RULES, type StricterRule } from './stricter.js';
import type { UpgradesStore } from './upgrades-store.js';

export type UpgradesService = ReturnType<typeof createUpgradesService>;

export function createUpgradesService(
  store: UpgradesStore,
  applications: Pick<ApplicationsService, 'accountId' | 'createAccount'>,
  inTransaction: InTransaction,
  audit: AuditService,
  clock: Clock,
) {
  async function undismissedRules(trx?: Knex): Promise<StricterRule[]> {
    const migrations = new Set(await store.undismissed(trx));
    return STRICTER_RULES.filter(({ since }) => migrations.has(since)).map((rule) => ({
      ...rule,
      text: withOperatorCommand(rule.text),
    }));
  }

  /**
   * Returns whether people in this account may dismiss the notice. Only people in the operator's account may, because
   * the notice disappears for everyone.
   */
  const mayDismiss = async (accountId: number): Promise<boolean> =>
    accountId === (await applications.accountId(OPERATOR_ACCOUNT));

  /** Dismisses the notice for everyone. Returns the rules that the notice listed. */
  async function dismiss(actor: Actor, accountId: number): Promise<StricterRule[]> {
    requireRight(actor, 'own');
    if (!(await mayDismiss(accountId))) throw new ForbiddenError('only the operator may dismiss an upgrade notice');
    return inTransaction(async (trx) => {
      const listed = await undismissedRules(trx);
      if (listed.length === 0) return [];
      const migrations = [...new Set(listed.map(({ since }) => since))];
      await store.dismiss(trx, migrations, clock.now());
      await audit.record(trx, actor, { accountId, action: 'upgrade-notice.dismiss', subject: migrations.join(', ') });
      return listed;
    });
  }

  return { undismissedRules: () => undismissedRules(), mayDismiss, dismiss };
}
