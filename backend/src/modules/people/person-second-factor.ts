/** The second factors of dashboard users. Uses the two-factor module, with the dashboard as the application. */
import type { Schemas } from '../../platform/contract/schemas.js';
import { actorOf, type Actor } from '../access/actor.js';
import type { AuditAction } from '../audit/audit.js';
import type { TwoFactorService } from '../twofactor/index.js';
import { withoutUserTokenCheck, type DashboardApplication } from './dashboard-application.js';
import type { PersonSession } from './person.js';
import type { SecurityNotices } from './security-notices.js';

export type PersonSecondFactor = ReturnType<typeof createPersonSecondFactor>;

export function createPersonSecondFactor(
  dashboardApplication: DashboardApplication,
  twoFactor: TwoFactorService,
  notices: SecurityNotices,
) {
  const callWith = async (identity: string, source: string, browser?: string) => ({
    application: withoutUserTokenCheck(await dashboardApplication()),
    identity,
    source,
    browser,
  });

  /**
   * The session token's hash serves as the browser secret, so that an enrollment belongs to the session that started it.
   */
  const callOf = ({ person, tokenHash }: PersonSession) =>
    callWith(person.email, `dashboard ${tokenHash}`, `dashboard ${tokenHash}`);

  const audited = ({ person }: PersonSession, action: AuditAction) => ({
    actor: actorOf(person),
    entry: { accountId: person.accountId, action, subject: person.email },
  });

  const isOnFor = async (email: string): Promise<boolean> => twoFactor.isOn(await callWith(email, ''));
  /** Returns those of the email addresses for which it is on. Addresses are in lower case. */
  const onAmong = async (emails: readonly string[]) => twoFactor.withFactor(await dashboardApplication(), emails);
  const isOn = ({ person }: PersonSession): Promise<boolean> => isOnFor(person.email);

  /** Returns the number of recovery codes that are left; undefined if it is off. */
  async function recoveryCodesLeft({ person }: PersonSession): Promise<number | undefined> {
    const factor = await twoFactor.describe(await dashboardApplication(), person.email);
    return factor?.since === undefined ? undefined : factor.recoveryCodes;
  }

  /** Throws unless `otp` is a valid authenticator code or an unused recovery code. */
  async function verifyFor(email: string, source: string, otp: string): Promise<void> {
    await twoFactor.verify(await callWith(email, source), { otp });
  }

  const verify = ({ person, tokenHash }: PersonSession, otp: string): Promise<void> =>
    verifyFor(person.email, `confirmation ${tokenHash}`, otp);

  const enroll = async (session: PersonSession): Promise<Schemas['EnableTwoFactorReply']> =>
    twoFactor.enable(await callOf(session));

  /** Turns the second factor on after verifying the authenticator's first code. Returns the recovery codes. */
  async function turnOn(session: PersonSession, maskId: string, otp: string): Promise<readonly string[]> {
    const change = audited(session, 'person.two-factor-on');
    const { recoveryCodes } = await twoFactor.verify(await callOf(session), { otp, maskId }, change);
    await notices.send(session.person.email, { kind: 'authenticator on' });
    return recoveryCodes ?? [];
  }

  async function turnOff(session: PersonSession, otp: string): Promise<void> {
    await twoFactor.disable(await callOf(session), otp, audited(session, 'person.two-factor-off'));
    await notices.send(session.person.email, { kind: 'authenticator off' });
  }

  /** Turns the second factor off for a person who has lost the authenticator. Returns whether it was on. */
  async function reset(actor: Actor, email: string): Promise<boolean> {
    const wasOn = await twoFactor.resetAs(actor, await dashboardApplication(), email);
    if (wasOn) await notices.send(email.toLowerCase(), { kind: 'authenticator reset', by: actor.name });
    return wasOn;
  }

  return { isOn, isOnFor, onAmong, recoveryCodesLeft, verify, verifyFor, enroll, turnOn, turnOff, reset };
}
