/** The second factor of a site's users: state, enrolment, verification, turning off, and reset by the site. */
import { SECOND, type Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { GuessesStore } from './guesses-store.js';
import { CLIENT, createProofs, NO_FACTOR, sealContext, type Otp } from './proofs.js';
import { addressOf, subjectOf, type Caller } from './subject.js';
import { qrCode } from './qr-code.js';
import { accountUri } from './totp.js';
import type { TwoFactorStore } from './twofactor-store.js';
import { createCheckUserToken } from './user-token.js';

type Schemas = components['schemas'];

/** A call of the widget. */
export interface WidgetCall {
  readonly application: Application;
  readonly identity: string;
  readonly userToken?: string | undefined;
  /** Address, page and User-Agent of the browser. */
  readonly source: string;
}

export interface TwoFactorDependencies {
  readonly store: TwoFactorStore;
  readonly guesses: GuessesStore;
  readonly applications: ApplicationsService;
  readonly sessions: SessionsService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

export function createTwoFactorService(dependencies: TwoFactorDependencies) {
  const { store, guesses, applications, sessions, keyring, clock } = dependencies;
  const checkUserToken = createCheckUserToken(applications, clock);
  const proofs = createProofs({ store, guesses, keyring, clock });

  function callerOf({ application, identity, userToken, source: browser }: WidgetCall): Caller {
    const address = addressOf(identity);
    const vouched = checkUserToken(application, identity, userToken);
    // A neighbour behind the same network address who copies the User-Agent has no userToken.
    const source = `${browser}\n${vouched}`;
    const subject = subjectOf(application, address);
    return { application, subject, address, source, client: keyring.mac(CLIENT, source), vouched };
  }

  /** Puts the newest key's seal on factors that an older one sealed; answers how many. */
  async function resealSome(factors: Awaited<ReturnType<TwoFactorStore['some']>>): Promise<number> {
    let resealed = 0;
    for (const factor of factors) {
      const sealed = keyring.reseal(sealContext(factor), factor.secretSealed);
      if (sealed === undefined) continue;
      await store.reseal(factor.id, factor.secretSealed, sealed);
      resealed++;
    }
    return resealed;
  }

  return {
    /** Whether two-factor is on; false for an identity that nobody knows. */
    async isOn(call: WidgetCall): Promise<boolean> {
      return (await store.factor(callerOf(call).subject)) !== undefined;
    },

    /** Begins an enrolment, or shows again the one that this browser has begun. */
    async enable(call: WidgetCall, otp: Otp | undefined): Promise<Schemas['EnableTwoFactorReply']> {
      const caller = callerOf(call);
      const { application, subject, address } = caller;
      const on = (await store.factor(subject)) !== undefined;
      const enrolment = on
        ? await proofs.proven(caller, otp, (trx, factor) => proofs.enrol(trx, caller, factor))
        : await guesses.exclusively(subject, clock.now(), (trx) => proofs.enrol(trx, caller, undefined));
      const secret = proofs.secretOf(subject, enrolment);
      const uri = accountUri({ secret, issuer: application.name, label: address });
      return {
        success: true,
        message: 'scan the QR code with an authenticator app, then enter its code',
        QRCoder: await qrCode(uri),
        accountUri: uri,
        manualKey: secret,
        maskId: enrolment.maskId,
        expireTime: enrolment.expiresAt / SECOND,
      };
    },

    /** Verifies a code and answers a session token; with recovery codes when it turned two-factor on. */
    async verify(
      call: WidgetCall,
      code: { otp: Otp; maskId?: string | undefined },
    ): Promise<Schemas['VerifyTwoFactorReply']['data']> {
      const caller = callerOf(call);
      const { application, subject, address } = caller;
      await proofs.countGuess(subject);
      // Whatever can fail comes before the code is used up.
      const key = await sessions.signingKey();
      const now = clock.now();
      const { user, recovery } = await guesses.exclusively(subject, now, async (trx) => {
        const recovery = await proofs.redeem(trx, caller, code);
        await guesses.forget(trx, subject);
        const named = { applicationId: application.id, identityType: 'email', identity: address } as const;
        const [user] = await sessions.findOrCreateUsers(trx, [{ ...named, verified: caller.vouched }], now);
        return { user: user!, recovery };
      });
      const token = await sessions.issue(key, application, user, 'TOTP');
      return { ...token, ...recovery };
    },

    /** Turns two-factor off for a caller who proves to be its user. */
    async disable(call: WidgetCall, otp: Otp | undefined): Promise<void> {
      const caller = callerOf(call);
      await proofs.proven(caller, otp, (trx) => store.remove(trx, caller.subject));
    },

    /** Turns two-factor off on the word of the site or of the operator, and ends the lock; answers whether it was on. */
    async reset(application: Application, identity: string): Promise<boolean> {
      const subject = subjectOf(application, addressOf(identity));
      return guesses.exclusively(subject, clock.now(), async (trx) => {
        await guesses.forget(trx, subject);
        return store.remove(trx, subject);
      });
    },

    /** Seals with the newest key what an older one sealed; answers how many. */
    async reseal(): Promise<number> {
      let resealed = 0;
      for (let last = NO_FACTOR; ;) {
        const factors = await store.some(last);
        if (factors.length === 0) return resealed;
        resealed += await resealSome(factors);
        last = factors.at(-1)!.id;
      }
    },

    async cleanUp(): Promise<void> {
      await store.cleanUp(clock.now());
      await guesses.cleanUp(clock.now());
    },
  };
}
