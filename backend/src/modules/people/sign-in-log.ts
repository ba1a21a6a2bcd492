/** Records successful and failed sign-ins in the audit log, and notifies people of failures. */
import type { Knex } from 'knex';
import { describeError } from '../../platform/log.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { isWithinLimits } from '../../platform/rate-limit/within-limits.js';
import { actorOf, type Actor } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import type { PeopleStore } from './people-store.js';
import type { Person } from './person.js';
import type { SecurityNotices } from './security-notices.js';
import { failureNoticeRule, recordedFailureRule, unnoticedFailureRule } from './sign-in-limits.js';

export type SignInMethod = 'emailed code' | 'sign-in link' | 'passkey' | 'first run';

export interface SignInEvent {
  /** For a sign-in, a {@link SignInMethod} and the second factor, if any. For a failure, the method that failed. */
  readonly method: string;
  /** The IP address. */
  readonly source: string;
}

/**
 * Actor of failed sign-ins in the audit log. Names nobody, because anyone who knows the email address can cause a
 * failure.
 */
const ANONYMOUS_ACTOR: Actor = { name: 'someone not signed in', may: () => false };

const changesOf = ({ method, source }: SignInEvent) => [
  { name: 'method', before: '', after: method },
  { name: 'IP address', before: '', after: source },
];

export function createSignInLog(
  people: PeopleStore,
  notices: SecurityNotices,
  { inTransaction, audit, limiter, log }: Pick<Shared, 'audit' | 'inTransaction' | 'limiter' | 'log'>,
) {
  /** Records a sign-in. `trx` is the transaction that stores the new session. */
  const recordSuccess = (trx: Knex, person: Person, event: SignInEvent): Promise<void> =>
    audit.record(trx, actorOf(person), {
      accountId: person.accountId,
      action: 'person.sign-in',
      subject: person.email,
      changes: changesOf(event),
    });

  const isWithin = (rule: Rule): Promise<boolean> => isWithinLimits(limiter, [rule]);

  async function record(email: string, event: SignInEvent, afterCode: boolean): Promise<void> {
    const accountIds = (await people.withEmail(email)).map(({ accountId }) => accountId);
    if (accountIds.length === 0 || !(await isWithin(recordedFailureRule(email)))) return;
    const entry = { action: 'person.sign-in-failed' as const, subject: email, changes: changesOf(event) };
    await inTransaction(async (trx) => {
      for (const accountId of accountIds) await audit.record(trx, ANONYMOUS_ACTOR, { accountId, ...entry });
    });
    if (!afterCode && (await isWithin(unnoticedFailureRule(email)))) return;
    if (!(await isWithin(failureNoticeRule(email)))) return;
    await notices.send(email, { kind: afterCode ? 'wrong second factor' : 'wrong codes', source: event.source });
  }

  /**
   * Records a failed sign-in in the background, so that response time does not reveal whether the address can sign in.
   * `afterCode`: the emailed code was correct, so an attacker may have access to the mailbox.
   */
  function reportFailure(email: string, event: SignInEvent, { afterCode = false } = {}): void {
    record(email, event, afterCode).catch((error: unknown) =>
      log.error({ err: describeError(error) }, 'could not record a failed sign-in'),
    );
  }

  return { recordSuccess, reportFailure };
}

export type SignInLog = ReturnType<typeof createSignInLog>;
