/** Whether calls of an application arrive. */
import type { Application } from '../../modules/applications/application.js';
import { OTHERS, wouldPass, type RefusedCaller } from '../../modules/applications/rejected-caller.js';
import { Notice } from '../components/notice.js';
import { Time } from '../components/time.js';

const FIRST_CALL_ID = 'first-call';

interface FirstCallProps {
  readonly at: string;
  readonly application: Application;
  readonly refused: readonly RefusedCaller[];
}

/** A caller of the API whose last call was refused, and whose next one would be as well: the reason that is met most. */
function refusedInstead({ application, refused }: Omit<FirstCallProps, 'at'>): RefusedCaller | undefined {
  const { lastUsedAt, settings } = application;
  const [latest] = refused.filter(({ via, caller }) => via === 'api' && caller !== OTHERS);
  const isNews = latest !== undefined && latest.lastAt >= (lastUsedAt ?? 0);
  return isNews && !wouldPass(settings.authorizedEndpoints, latest) ? latest : undefined;
}

function Waiting({ application, instead }: { application: Application; instead: RefusedCaller | undefined }) {
  if (!instead)
    return (
      <>
        <h2 id="first-call-title">Waiting for the first call</h2>
        <p class="waiting">
          <span class="dots" aria-hidden="true" />
          No call with this key pair has come yet. This page notices by itself.
        </p>
      </>
    );
  return (
    <>
      <h2 id="first-call-title">A call came, and was refused</h2>
      <Notice kind="warning">
        <code>{instead.caller}</code> is not on the allow-list.{' '}
        <a href={`/dashboard/applications/${application.appKey}/allow-list`}>Let it in</a>
      </Notice>
    </>
  );
}

function Arrived({ lastUsedAt }: { lastUsedAt: number }) {
  return (
    <>
      <h2 id="first-call-title">Calls arrive</h2>
      <p role="status">
        <span class="badge good">connected</span> The last call with this key pair came <Time ms={lastUsedAt} />.
      </p>
    </>
  );
}

/** Looks for itself until one has come and was let in. */
export function FirstCall({ at, ...call }: FirstCallProps) {
  const { application } = call;
  const { lastUsedAt } = application;
  const instead = refusedInstead(call);
  const arrived = lastUsedAt !== null && !instead;
  const polling = {
    'hx-get': `${at}/first-call`,
    'hx-trigger': 'every 3s',
    'hx-target': `#${FIRST_CALL_ID}`,
    'hx-swap': 'outerHTML',
  };
  return (
    <section class="card" id={FIRST_CALL_ID} aria-labelledby="first-call-title" {...(arrived ? {} : polling)}>
      {arrived ? <Arrived lastUsedAt={lastUsedAt} /> : <Waiting application={application} instead={instead} />}
    </section>
  );
}
