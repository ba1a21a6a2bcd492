import { HOUR, SECOND } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { Actor } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import type { KeyPair } from './application.js';
import type { ApplicationSecrets } from './application-secrets.js';
import type { ApplicationsStore } from './applications-store.js';
import type { ChangeApplication } from './change-application.js';

export const newAppSecret = (): string => `sk_${random.base64url(32)}`;

export function createCredentialsService(
  store: ApplicationsStore,
  secrets: ApplicationSecrets,
  changeApplication: ChangeApplication,
  { keyring, audit, clock }: Pick<Shared, 'audit' | 'clock' | 'keyring'>,
) {
  /** Creates a new App Secret. Older secrets expire after `graceSeconds` at the latest. */
  const rotateSecret = (
    actor: Actor,
    appKey: string,
    graceSeconds: number,
  ): Promise<KeyPair & { oldSecretValidUntil: number }> =>
    changeApplication(actor, 'own', appKey, async (trx, { id, accountId, name: subject }) => {
      const appSecret = newAppSecret();
      const now = clock.now();
      const oldSecretValidUntil = now + graceSeconds * SECOND;
      await store.expireSecrets(trx, id, now, oldSecretValidUntil);
      await store.insertSecret(trx, id, secrets.storedForm(appSecret), now);
      const hours = String((graceSeconds * SECOND) / HOUR);
      const changes = [{ name: 'old secret valid for hours', before: '', after: hours }];
      await audit.record(trx, actor, { accountId, action: 'application.rotate-secret', subject, changes });
      return { appKey, appSecret, oldSecretValidUntil };
    });

  const expireOldSecrets = (actor: Actor, appKey: string): Promise<void> =>
    changeApplication(actor, 'own', appKey, async (trx, { id, accountId, name: subject }) => {
      await store.expireReplacedSecrets(trx, id, clock.now());
      await audit.record(trx, actor, { accountId, action: 'application.end-old-secret', subject });
    });

  return { rotateSecret, expireOldSecrets, reseal: () => store.resealTokenKeys(keyring) };
}
