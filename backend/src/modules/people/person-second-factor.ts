/** The second factor of people: the two-factor module, with the dashboard as its application. */
import type { Schemas } from '../../platform/contract/schemas.js';
import { actorOf } from '../access/actor.js';
import type { TwoFactorService } from '../twofactor/index.js';
import { withoutUserTokenCheck, type DashboardApplication } from './dashboard-application.js';
import type { PersonSession } from './person.js';

export type PersonSecondFactor = ReturnType<typeof createPersonSecondFactor>;

export function createPersonSecondFactor(dashboardApplication: DashboardApplication, twoFactor: TwoFactorService) {
  /** The session token is part of the source, so that an enrolment belongs to the session that started it. */
  const callOf = async ({ person, tokenHash }: PersonSession) => ({
    application: withoutUserTokenCheck(await dashboardApplication()),
    identity: person.email,
    source: `dashboard ${tokenHash}`,
  });

  const audited = ({ person }: PersonSession, action: string) => ({
    actor: actorOf(person),
    entry: { accountId: person.accountId, action, subject: person.email },
  });

  const isOn = async (session: PersonSession): Promise<boolean> => twoFactor.isOn(await callOf(session));

  const enrol = async (session: PersonSession): Promise<Schemas['EnableTwoFactorReply']> =>
    twoFactor.enable(await callOf(session), undefined);

  /** Turns the second factor on with the first code of the authenticator. Returns the recovery codes. */
  async function turnOn(session: PersonSession, maskId: string, otp: string): Promise<readonly string[]> {
    const change = audited(session, 'person.two-factor-on');
    const { recoveryCodes } = await twoFactor.verify(await callOf(session), { otp, maskId }, change);
    return recoveryCodes ?? [];
  }

  const turnOff = async (session: PersonSession, otp: string): Promise<void> =>
    twoFactor.disable(await callOf(session), otp, audited(session, 'person.two-factor-off'));

  return { isOn, enrol, turnOn, turnOff };
}
