import type { Application } from '../../modules/applications/application.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import type { Message } from '../../modules/messages/message.js';
import { OTHER_CALLERS, wouldBeAuthorized, type RejectedCaller } from '../../modules/applications/rejected-caller.js';
import { Badge } from '../components/badge.js';
import { NextStep } from '../components/next-step.js';
import { Notice } from '../components/notice.js';
import { polling } from '../components/polling.js';
import { Time } from '../components/time.js';
import { stateLabelOf } from '../messages/labels.js';
import type { Step } from '../home/checklist.js';

interface FirstCallProps {
  readonly path: string;
  readonly application: Application;
  readonly rejected: readonly RejectedCaller[];
  readonly latest: Message | undefined;
  /** The account's next step after the first call. */
  readonly next?: Step | undefined;
}

/** Returns the latest API caller if its last call was rejected, and another call would be rejected as well. */
function rejectedCaller({ application, rejected }: FirstCallProps): RejectedCaller | undefined {
  const { lastUsedAt, settings } = application;
  const latest = rejected.find(({ via, caller }) => via === 'api' && caller !== OTHER_CALLERS);
  if (!latest || latest.lastAt < (lastUsedAt ?? 0)) return undefined;
  return wouldBeAuthorized(settings.authorizedEndpoints, latest) ? undefined : latest;
}

function LatestMessage(message: Message) {
  const { name, kind } = stateLabelOf(message);
  return (
    <p>
      Latest message: <a href={`/dashboard/messages/${message.id}`}>{maskRecipient(message.recipient)}</a>{' '}
      <Badge kind={kind}>{name}</Badge>
    </p>
  );
}

function stateOf(application: Application, caller: string | undefined) {
  const { appKey, lastUsedAt } = application;
  if (caller !== undefined) {
    const content = (
      <Notice kind="warning">
        Passbell rejected a request from <code>{caller}</code>, which is not on the allow-list.{' '}
        <a href={`/dashboard/applications/${appKey}/allow-list`}>Open the allow-list</a>
      </Notice>
    );
    return { title: 'Request rejected', content };
  }
  if (lastUsedAt === null) {
    const content = (
      <p class="waiting">
        <span class="dots" aria-hidden="true" />
        Waiting for your first request. This page updates automatically.
      </p>
    );
    return { title: 'First request', content };
  }
  const content = (
    <p role="status">
      <Time ms={lastUsedAt} />, by a program with this application's API credentials.
    </p>
  );
  return { title: 'Last request', content, arrived: true };
}

/** Shows whether the first API call has arrived. Refreshes itself until the call arrives. */
export function FirstCall(props: FirstCallProps) {
  const { title, content, arrived } = stateOf(props.application, rejectedCaller(props)?.caller);
  const refresh = !arrived && polling(`${props.path}/first-call`, 'first-call', '3s');
  return (
    <section class="card" id="first-call" aria-labelledby="first-call-title" {...refresh}>
      <h2 id="first-call-title">{title}</h2>
      {content}
      {arrived && props.latest && <LatestMessage {...props.latest} />}
      {arrived && <NextStep step={props.next} />}
    </section>
  );
}
