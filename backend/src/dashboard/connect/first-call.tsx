/** Whether calls of an application arrive. */
import type { Application } from '../../modules/applications/application.js';
import { OTHERS, type RefusedCaller } from '../../modules/applications/refused-caller.js';
import { Notice } from '../components/notice.js';
import { Time } from '../components/time.js';

export const FIRST_CALL_ID = 'first-call';

interface FirstCallProps {
  readonly at: string;
  readonly application: Application;
  readonly refused: readonly RefusedCaller[];
}

/** The reason why nothing arrives that is met most. */
function RefusedInstead({ application, refused }: Omit<FirstCallProps, 'at'>) {
  const calls = refused.filter(({ via }) => via === 'api');
  const latest = calls.find(({ caller }) => caller !== OTHERS);
  if (!latest) return null;
  return (
    <Notice kind="warning">
      A call from <code>{latest.caller}</code> was refused, since it is not on the allow-list.{' '}
      <a href={`/dashboard/applications/${application.appKey}/allow-list`}>Let it in</a>
    </Notice>
  );
}

/** Looks for itself until one has come. */
export function FirstCall({ at, application, refused }: FirstCallProps) {
  const { lastUsedAt } = application;
  if (lastUsedAt !== null)
    return (
      <section class="card" id={FIRST_CALL_ID} aria-labelledby="first-call-title">
        <h2 id="first-call-title">Calls arrive</h2>
        <p role="status">
          <span class="badge good">connected</span> The last call with this key pair came <Time ms={lastUsedAt} />.
        </p>
      </section>
    );
  return (
    <section
      class="card"
      id={FIRST_CALL_ID}
      aria-labelledby="first-call-title"
      hx-get={`${at}/first-call`}
      hx-trigger="every 3s"
      hx-target={`#${FIRST_CALL_ID}`}
      hx-swap="outerHTML"
    >
      <h2 id="first-call-title">Waiting for the first call</h2>
      <p class="waiting">
        <span class="dots" aria-hidden="true" />
        No call with this key pair has come yet. This page notices by itself.
      </p>
      <RefusedInstead application={application} refused={refused} />
    </section>
  );
}
