/** Decides which accounts may have their own providers. */
import type { ProviderType } from '../../providers/provider-type.js';
import { PROVIDER_TYPES } from '../../providers/provider-types.js';
import { requireOperator, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ChangeRouting } from './change-routing.js';
import { ProviderSettingsError } from './provider-account.js';
import type { ProvidersStore } from './providers-store.js';

export function createProviderPermissions(
  store: Pick<ProvidersStore, 'isAllowed' | 'setAllowed'>,
  changeRouting: ChangeRouting,
  isOperatorAccount: (accountId: number) => Promise<boolean>,
  audit: AuditService,
) {
  /** Whether the account may have its own providers. Always true for the operator's account. */
  const isAllowed = async (accountId: number): Promise<boolean> =>
    (await isOperatorAccount(accountId)) || store.isAllowed(accountId);

  /** Throws unless the account may have its own providers. Returns whether it is the operator's account. */
  async function assertAllowed(accountId: number): Promise<boolean> {
    const isOperators = await isOperatorAccount(accountId);
    if (!isOperators && !(await store.isAllowed(accountId)))
      throw new ProviderSettingsError('the operator does not allow this account to have its own providers');
    return isOperators;
  }

  /** Returns the provider types for an account. Other accounts do not see fields that only the operator can set. */
  async function typesFor(accountId: number): Promise<readonly ProviderType[]> {
    if (await isOperatorAccount(accountId)) return PROVIDER_TYPES;
    return PROVIDER_TYPES.map((type) => ({ ...type, fields: type.fields.filter(({ operatorOnly }) => !operatorOnly) }));
  }

  /**
   * Sets whether an account may have its own providers. Without permission, existing providers stay stored, but are not
   * used.
   */
  async function allow(actor: Actor, accountId: number, allowed: boolean): Promise<void> {
    requireOperator(actor);
    await changeRouting(async (trx) => {
      const before = await store.isAllowed(accountId, trx);
      await store.setAllowed(trx, accountId, allowed);
      const changes = changesBetween({ ownProviders: before }, { ownProviders: allowed });
      await audit.record(trx, actor, { accountId, action: 'account.providers', subject: '', changes });
    });
  }

  return { assertAllowed, isAllowed, typesFor, allow };
}
