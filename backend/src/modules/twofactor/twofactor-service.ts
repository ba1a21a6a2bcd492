import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService, NewAuditEntry } from '../audit/audit-service.js';
import { maskRecipient } from '../recipients/recipient.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import { addressOf, userOf, type createCallerOf, type TwoFactorCall } from './caller.js';
import type { Code, CodeVerification, Otp } from './code-verification.js';
import type { Enroll } from './enroll.js';
import type { FactorSecrets } from './factor-secrets.js';
import type { GuessLimits } from './guess-limits.js';
import { qrCode } from './qr-code.js';
import type { FactorDescription, FactorUser } from './second-factor.js';
import { accountUri } from './totp.js';
import type { TwoFactorStore } from './twofactor-store.js';

/**
 * The audit log entry for a change that a person makes to their own second factor. Stored in the same transaction as
 * the change.
 */
interface AuditedChange {
  readonly actor: Actor;
  readonly entry: NewAuditEntry;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

interface Dependencies extends Pick<Base, 'clock' | 'keyring'> {
  readonly store: TwoFactorStore;
  readonly verification: CodeVerification;
  readonly secrets: FactorSecrets;
  readonly limits: GuessLimits;
  readonly enroll: Enroll;
  readonly callerOf: ReturnType<typeof createCallerOf>;
  readonly sessions: SessionsService;
  readonly audit: AuditService;
}

export function createTwoFactorService(dependencies: Dependencies) {
  const { store, verification, secrets, limits, enroll, callerOf, sessions, audit, keyring, clock } = dependencies;
  const { clearAllGuesses, exclusively } = limits;

  async function isOn(call: TwoFactorCall): Promise<boolean> {
    return (await store.findFactor(callerOf(call).user)) !== undefined;
  }

  async function enable(
    call: TwoFactorCall,
    { otp, maskId }: { otp?: Otp | undefined; maskId?: string | undefined } = {},
  ): Promise<Schemas['EnableTwoFactorReply']> {
    const caller = callerOf(call);
    const { application, user, address } = caller;
    const enrollment = (await store.findFactor(user))
      ? await verification.ifVerified(caller, otp, (trx, replaced) => enroll(trx, caller, { replaced, maskId }))
      : await exclusively(user, (trx) => enroll(trx, caller, { replaced: undefined, maskId }));
    const secret = secrets.openSecret(user, enrollment);
    const uri = accountUri({ secret, issuer: application.name, label: address });
    return {
      success: true,
      message: 'scan the QR code with an authenticator app, then enter its code',
      QRCoder: await qrCode(uri),
      accountUri: uri,
      manualKey: secret,
      maskId: enrollment.maskId,
      expireTime: enrollment.expiresAt / SECOND,
    };
  }

  /**
   * Verifies a code and issues a two-factor token. Returns new recovery codes as well if the code turned two-factor on.
   */
  async function verify(
    call: TwoFactorCall,
    code: Code,
    audited?: AuditedChange,
  ): Promise<Schemas['VerifyTwoFactorReply']['data']> {
    const caller = callerOf(call);
    const { application, user: factorUser, address } = caller;
    const guess = await verification.countGuess(caller, code);
    // Fetches the signing key first: if this fails, the code stays valid.
    const key = await sessions.signingKey();
    const { user, recovery } = await exclusively(factorUser, async (trx) => {
      const recovery = await verification.verifyCode(trx, caller, guess);
      if (audited) await audit.record(trx, audited.actor, audited.entry);
      const identity = { applicationId: application.id, identityType: 'email', identity: address } as const;
      const verified = caller.hasUserToken;
      const [user] = await sessions.findOrCreateUsers(trx, [{ ...identity, verified }], clock.now());
      return { user: user!, recovery };
    });
    return { ...sessions.issueTwoFactorToken(key, application, user), ...recovery };
  }

  async function disable(call: TwoFactorCall, otp: Otp | undefined, audited?: AuditedChange): Promise<void> {
    const caller = callerOf(call);
    await verification.ifVerified(caller, otp, async (trx) => {
      if (audited) await audit.record(trx, audited.actor, audited.entry);
      await store.deleteFactor(trx, caller.user);
    });
  }

  async function removeFactor(trx: Knex, user: FactorUser): Promise<boolean> {
    await clearAllGuesses(trx, user);
    return store.deleteFactor(trx, user);
  }

  /**
   * Turns two-factor off and removes all locks, on behalf of the application's server. Returns whether two-factor was
   * on.
   */
  async function reset(application: Application, identity: string): Promise<boolean> {
    const user = userOf(application, addressOf(identity));
    return exclusively(user, (trx) => removeFactor(trx, user));
  }

  /** Same as {@link reset}, on behalf of the operator or a person. Recorded in the audit log. */
  async function resetAs(actor: Actor, application: Application, identity: string): Promise<boolean> {
    requireRight(actor, 'own');
    const address = addressOf(identity);
    const user = userOf(application, address);
    const entry = {
      accountId: application.accountId,
      action: 'two-factor.reset' as const,
      subject: maskRecipient(address),
    };
    return exclusively(user, async (trx) => {
      await audit.record(trx, actor, entry);
      return removeFactor(trx, user);
    });
  }

  /** Returns the second factor of an email address, and its locks. Returns undefined if there are none. */
  const describe = (application: Application, address: string): Promise<FactorDescription | undefined> =>
    store.describe(userOf(application, address));

  /** Ends all locks, in the caller's transaction. Keeps the counts of wrong codes, which limit the total number of guesses. */
  const unlock = (trx: Knex, application: Application, address: string): Promise<void> =>
    limits.unlock(trx, userOf(application, address));

  /** Deletes an address's second factors and enrollments. Returns the number of deleted rows. */
  const erase = (trx: Knex, applicationIds: readonly number[], address: string): Promise<number> =>
    store.erase(trx, applicationIds, address.toLowerCase());

  return {
    isOn,
    withFactor: ({ id }: Application, identities: readonly string[]) => store.withFactor(id, identities),
    enable,
    verify,
    disable,
    reset,
    resetAs,
    describe,
    unlock,
    reseal: () => store.reseal(keyring),
    erase,
  };
}
