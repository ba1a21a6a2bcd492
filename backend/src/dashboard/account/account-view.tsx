import type { Membership, PersonSession } from '../../modules/people/person.js';
import { sessionIdOf } from '../../modules/people/person-sessions.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { CopyBlock } from '../components/copy.js';
import { Form } from '../components/form.js';
import { NextStep } from '../components/next-step.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Time } from '../components/time.js';
import { EMPTY_FORM } from '../form.js';
import type { Step } from '../home/checklist.js';
import { TurnOffForm } from './factor-views.js';
import { PasskeysCard, type PasskeysProps } from './passkeys-card.js';

interface AccountViewProps extends PasskeysProps {
  readonly sessions: readonly PersonSession[];
  readonly memberships: readonly Membership[];
  readonly weekly: boolean;
  /** The number of recovery codes that are left; undefined if the authenticator is off. */
  readonly recoveryCodesLeft: number | undefined;
  readonly recoveryCodes: readonly string[] | undefined;
  /** The account's next step, if the authenticator was just turned on. */
  readonly next: Step | undefined;
}

const RECOVERY_CODES_LEAD =
  "If you lose your authenticator, enter one of these codes instead of the authenticator code. Each works once. Print them or store them in a password manager now. They won't be shown again.";

const RECOVERY_FILE = 'passbell-recovery-codes.txt';

/** The page shows the codes only once, so the file is in the link. */
function RecoveryCodes({ codes, next }: { readonly codes: readonly string[]; readonly next: Step | undefined }) {
  const text = codes.join('\n');
  return (
    <Card id="recovery-codes" class="card highlight" title="Your recovery codes" lead={RECOVERY_CODES_LEAD}>
      <CopyBlock label="recovery codes" title="Recovery codes" value={text} />
      <div class="actions">
        <a class="button" href={`data:text/plain,${encodeURIComponent(text)}`} download={RECOVERY_FILE}>
          Download the codes
        </a>
      </div>
      <NextStep step={next} />
    </Card>
  );
}

function Authenticator({ codesLeft }: { readonly codesLeft: number | undefined }) {
  const on = codesLeft !== undefined;
  const title = (
    <>
      Authenticator <Badge kind={on ? 'good' : 'neutral'}>{on ? 'On' : 'Off'}</Badge>
    </>
  );
  const lead = on
    ? 'You enter an authenticator code after the emailed code.'
    : 'Require a code from an authenticator app, in addition to the emailed code.';
  return (
    <Card id="authenticator" title={title} lead={lead}>
      {on ? (
        <>
          <p>
            {codesLeft === 1 ? '1 recovery code is' : `${codesLeft} recovery codes are`} left. To get new ones, turn the
            authenticator off and on again.
          </p>
          <details>
            <summary>Turn off</summary>
            <TurnOffForm form={EMPTY_FORM} />
          </details>
        </>
      ) : (
        <Form action="/dashboard/account/two-factor/start">
          <Submit label="Turn on the authenticator" />
        </Form>
      )}
    </Card>
  );
}

function Accounts({ memberships }: { memberships: readonly Membership[] }) {
  const { person } = useVisit();
  return (
    <Card id="accounts" title="Accounts">
      <ul class="plain-list">
        {memberships.map((membership) => (
          <li key={membership.person.id}>
            <span>
              {membership.accountName} <span class="quiet">({membership.person.role})</span>
            </span>
            {membership.person.id === person.id ? (
              <Badge kind="good">Current</Badge>
            ) : (
              <Form action="/dashboard/account/switch" class="inline">
                <input type="hidden" name="person" value={membership.person.id} />
                <button class="button subtle small" aria-label={`Switch to ${membership.accountName}`}>
                  Switch
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function WeeklyEmail({ on }: { readonly on: boolean }) {
  return (
    <Card
      id="weekly-email"
      title={
        <>
          Weekly email <Badge kind={on ? 'good' : 'neutral'}>{on ? 'On' : 'Off'}</Badge>
        </>
      }
      lead="A summary every Monday morning: what happened in the last 7 days, and what needs your attention."
    >
      <Form action="/dashboard/account/weekly-email">
        <input type="hidden" name="weekly" value={on ? 'off' : 'on'} />
        <Submit label={on ? 'Turn off the weekly email' : 'Turn on the weekly email'} kind="subtle" />
      </Form>
    </Card>
  );
}

function Sessions({ sessions }: Pick<AccountViewProps, 'sessions'>) {
  const { session: current } = useVisit();
  return (
    <Card id="signed-in" title="Sessions" lead="The browsers in which you are signed in.">
      <ul class="plain-list">
        {sessions.map((session) => {
          const name = session.browser || 'Unknown browser';
          const isCurrent = session.tokenHash === current.tokenHash;
          return (
            <li key={session.tokenHash}>
              <div>
                {name}
                <p class="quiet small">
                  {isCurrent ? 'Active now' : ['Last seen ', <Time ms={session.usedAt} />]}, signed in{' '}
                  <Time ms={session.createdAt} />
                </p>
              </div>
              {isCurrent ? (
                <Badge kind="good">This browser</Badge>
              ) : (
                <Form action={`/dashboard/account/sessions/${sessionIdOf(session)}/revoke`} class="inline">
                  <button class="button subtle small" aria-label={`Sign out ${name}`}>
                    Sign out
                  </button>
                </Form>
              )}
            </li>
          );
        })}
      </ul>
      <Form action="/dashboard/account/sign-out-everywhere">
        <Submit label="Sign out everywhere" kind="subtle" />
        <p class="hint">You will also be signed out of this browser.</p>
      </Form>
    </Card>
  );
}

export function AccountView(props: AccountViewProps) {
  const { sessions, memberships, weekly, recoveryCodesLeft, recoveryCodes, next, ...passkeys } = props;
  const { person } = useVisit();
  return (
    <>
      <PageHead title="Your profile" lead={`${person.email}, ${person.role}`} />
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} next={next} />}
      <div class="halves">
        <div class="stack">
          <Card id="email" title="Email address" lead="You sign in with a code that is sent to this address.">
            <p class="strong">{person.email}</p>
          </Card>
          <PasskeysCard {...passkeys} />
          <Authenticator codesLeft={recoveryCodesLeft} />
        </div>
        <div class="stack">
          <Sessions sessions={sessions} />
          <WeeklyEmail on={weekly} />
          <Accounts memberships={memberships} />
        </div>
      </div>
    </>
  );
}
