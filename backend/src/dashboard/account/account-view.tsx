/** What somebody's own page shows. */
import type { Person } from '../../modules/people/person.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { CopyBlock } from '../components/copy.js';
import { Form } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { FactorOff } from './factor-views.js';
import { filledIn } from '../form.js';

interface AccountViewProps {
  /** Browsers that the person is signed in with. */
  readonly browsers: number;
  readonly memberships: readonly { readonly person: Person; readonly account: string }[];
  /** Whether an authenticator is on. */
  readonly factor: boolean;
  /** Shown this once. */
  readonly recoveryCodes: readonly string[] | undefined;
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section class="card highlight" aria-labelledby="recovery-codes">
      <div>
        <h2 id="recovery-codes">Your recovery codes</h2>
        <p class="lead">
          Each signs you in once when the authenticator is gone. They are shown only now: print them, or keep them in a
          password manager.
        </p>
      </div>
      <CopyBlock label="recovery codes" value={codes.join('\n')} />
    </section>
  );
}

function Authenticator({ on }: { on: boolean }) {
  return (
    <section class="card" aria-labelledby="authenticator">
      <div>
        <h2 id="authenticator">
          Authenticator <Badge kind={on ? 'good' : 'neutral'}>{on ? 'on' : 'off'}</Badge>
        </h2>
        <p class="lead">
          {on
            ? 'Signing in takes a code of it, besides the one by mail.'
            : 'A second code, of an app on your phone: your mailbox alone is then not enough to get in.'}
        </p>
      </div>
      {on ? (
        <details>
          <summary>Turn it off</summary>
          <FactorOff form={filledIn({ code: '' })} />
        </details>
      ) : (
        <div class="actions">
          <a class="button" href="/dashboard/account/two-factor">
            Turn it on
          </a>
        </div>
      )}
    </section>
  );
}

function Accounts({ memberships }: Pick<AccountViewProps, 'memberships'>) {
  const { person } = useVisit();
  return (
    <section class="card" aria-labelledby="accounts">
      <h2 id="accounts">Accounts</h2>
      <ul class="plain-list">
        {memberships.map((one) => (
          <li key={one.person.id}>
            <span>
              {one.account} <span class="quiet">as {one.person.role}</span>
            </span>
            {one.person.id === person.id ? (
              <Badge kind="good">here</Badge>
            ) : (
              <Form action="/dashboard/account/switch" class="inline">
                <input type="hidden" name="person" value={one.person.id} />
                <button class="button subtle small" aria-label={`Go to the account ${one.account}`}>
                  Go there
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function AccountView({ browsers, memberships, factor, recoveryCodes }: AccountViewProps) {
  const { person } = useVisit();
  return (
    <>
      <PageHead title="Your account" lead={`${person.email}, ${person.role}`} />
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      <Authenticator on={factor} />
      <Accounts memberships={memberships} />
      <section class="card" aria-labelledby="signed-in">
        <div>
          <h2 id="signed-in">Signed in</h2>
          <p class="lead">
            {browsers === 1 ? 'In this browser only.' : `In ${browsers} browsers, this one among them.`}
          </p>
        </div>
        <Form action="/dashboard/account/sign-out-everywhere">
          <div class="actions">
            <button class="button subtle">Sign out everywhere</button>
          </div>
        </Form>
      </section>
    </>
  );
}
