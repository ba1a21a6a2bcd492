/** The state of a provider and its figures of the last day, on its own page. */
import type { ComponentChildren } from 'preact';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { LocalTime } from '../components/time.js';
import { withoutCode } from '../messages/reasons.js';
import { countText, messagesText, partText, percent, rate } from '../usage/figures.js';
import type { Activity, RecentActivity } from './activity.js';
import {
  CoverageHint,
  FewEntered,
  hasFailedInRow,
  isRarelyAccepted,
  LastFailure,
  lastSuccessOf,
} from './activity-view.js';
import { sentence } from './labels.js';

interface StateProps extends Pick<ProviderView, 'state'> {
  readonly activity: Activity | undefined;
}

/** Says why a provider sends nothing now. The page starts with it. */
export function FailureNotice({ state, activity }: StateProps) {
  if (state.kind === 'failing')
    return (
      <Notice kind="bad">
        <strong>
          Failing since <LocalTime ms={state.since} />
        </strong>{' '}
        because {state.reason}.
      </Notice>
    );
  if (state.kind !== 'live' || !activity || !hasFailedInRow({ state, activity })) return null;
  return (
    <Notice kind="bad">
      <strong>The last {messagesText(activity.failedInRow)} failed.</strong>{' '}
      {sentence(withoutCode(activity.lastFailure!.reason))}
    </Notice>
  );
}

/** Describes the state of a provider that works; undefined for others, and if the notice describes it. */
function stateText({ state, activity }: StateProps): string | undefined {
  if (state.kind !== 'live' || hasFailedInRow({ state, activity })) return undefined;
  const failed = activity?.failedInRow ?? 0;
  if (failed > 0) return `The latest ${failed === 1 ? 'message' : messagesText(failed)} failed.`;
  return activity?.outage ? 'Works again after an outage.' : 'The latest message or check succeeded.';
}

/** When the provider last worked and last failed. */
export function StateCard({ state, activity, isIdleNow }: StateProps & { readonly isIdleNow: boolean }) {
  const success = lastSuccessOf({ state, activity });
  if (success === undefined && !activity) return null;
  const text = isIdleNow ? 'Ready. It sent no messages in the last 7 days.' : stateText({ state, activity });
  const failed = activity?.lastFailure && <LastFailure {...activity} />;
  return (
    <Card beside id="state" title="State" lead={text}>
      <Facts
        facts={[
          ['Last worked', success ? <LocalTime ms={success} day /> : 'Not in the last 24 hours'],
          ['Last failed', failed ?? (activity && 'Not in the last 24 hours')],
        ]}
      />
    </Card>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly badge?: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Figure = ({ name, value, badge, children }: FigureProps) => (
  <div class="card">
    <dt>{name}</dt>
    <dd>
      <span class="value">{value}</span> {badge}
      <div class="detail">{children}</div>
    </dd>
  </div>
);

/** `27 of 47 messages`; `No messages` without any. */
const shareText = (part: number, of: number, noun: string): string =>
  of === 0 ? `No ${noun}s` : partText(part, of, noun);

/** `41 sent by another provider, 58 failed`; without the last part if messages failed more than once. */
function rescuedText({ rescued, failed, failedMessages }: Activity): string {
  const count = rescued === 0 ? 'none' : rescued === failed ? 'all' : countText(rescued);
  const others = failed - rescued;
  const isSplit = rescued > 0 && others > 0 && others === failedMessages.length;
  return `${count} sent by another provider${isSplit ? `, ${countText(others)} failed` : ''}`;
}

/** The figures of the last day. */
export function ActivityFigures({ activity, since }: Pick<StateProps, 'activity'> & Pick<RecentActivity, 'since'>) {
  if (!activity) return null;
  const { accepted, failed, delivered, reported, entered, codes } = activity;
  return (
    <section class="stack" aria-labelledby="activity">
      <div>
        <h2 id="activity">Last 24 hours</h2>
        <CoverageHint since={since} isTitled />
      </div>
      <dl class="figures">
        <Figure
          name="Accepted"
          value={percent(rate(accepted, accepted + failed))}
          badge={isRarelyAccepted(activity) && <Badge kind="bad">Low</Badge>}
        >
          {shareText(accepted, accepted + failed, 'message')}
        </Figure>
        <Figure name="Failed" value={countText(failed)}>
          {failed === 0 ? 'No failures' : rescuedText(activity)}
        </Figure>
        <Figure name="Delivered" value={percent(rate(delivered, reported))}>
          {shareText(delivered, reported, 'report')}
        </Figure>
        <Figure name="Codes entered" value={percent(rate(entered, codes))}>
          {shareText(entered, codes, 'code')}
          <FewEntered unusual={activity.unusual} />
        </Figure>
      </dl>
    </section>
  );
}
