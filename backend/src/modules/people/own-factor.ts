/** The second factor of people themselves: our own module, with the dashboard as its application. */
import type { components } from '../../platform/contract/generated/api.js';
import type { TwoFactorService } from '../twofactor/twofactor-service.js';
import { trusted, type House } from './dashboard-application.js';
import type { PersonSession } from './person-sessions-store.js';

export type OwnFactor = ReturnType<typeof createOwnFactor>;

export function createOwnFactor({ house, twoFactor }: { house: House; twoFactor: TwoFactorService }) {
  /** An enrolment belongs to the session that has begun it. */
  const callOf = async ({ person, tokenHash }: PersonSession) => ({
    application: trusted(await house()),
    identity: person.email,
    source: `dashboard ${tokenHash}`,
  });

  return {
    isOn: async (session: PersonSession): Promise<boolean> => twoFactor.isOn(await callOf(session)),

    /** What the authenticator is to be given; the same again until it is confirmed or ten minutes have passed. */
    enrol: async (session: PersonSession): Promise<components['schemas']['EnableTwoFactorReply']> =>
      twoFactor.enable(await callOf(session), undefined),

    /** Turns it on with the authenticator's first code; answers the recovery codes. Throws the refusal. */
    async confirm(session: PersonSession, maskId: string, otp: string): Promise<readonly string[]> {
      const { recoveryCodes } = await twoFactor.verify(await callOf(session), { otp, maskId });
      return recoveryCodes ?? [];
    },

    /** Turns it off for who has a code of it, also where one was just given. Throws the refusal. */
    turnOff: async (session: PersonSession, otp: string): Promise<void> =>
      twoFactor.disable(await callOf(session), otp),
  };
}
