/** A provider's state, and its rates and failures of the last day. */
import type { ComponentChildren } from 'preact';
import type { ProviderState } from '../../modules/providers/provider-state.js';
import { listOf, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { DAY, utcMinute } from '../../platform/clock.js';
import { Badge } from '../components/badge.js';
import { useTimeZone, useVisit } from '../components/context.js';
import { LocalTime } from '../components/time.js';
import { protectionPath } from '../applications/parts.js';
import { groupBy } from '../group-by.js';
import { urlOf } from '../messages/filter.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { reasonKey, uncertainText, unknownAttempt, withoutCode } from '../messages/reasons.js';
import { recipientsIn } from '../protection/unusual.js';
import { countText, percent, rate } from '../usage/figures.js';
import { MAX_MESSAGES, OUTAGE_FAILURES, type Activity, type RecentActivity } from './activity.js';
import { sentence } from './labels.js';

interface CoverageProps extends Pick<RecentActivity, 'since'> {
  /** Whether a title above the text says that the figures are of the last 24 hours. */
  readonly isTitled?: boolean;
}

/** Says which messages the figures cover. */
export function CoverageHint({ since, isTitled = false }: CoverageProps) {
  const zone = useTimeZone();
  return (
    <p class={isTitled ? 'lead' : 'quiet small'}>
      {since !== undefined ? (
        <>
          The newest {countText(MAX_MESSAGES)} messages, since <LocalTime ms={since} />.{' '}
        </>
      ) : (
        !isTitled && 'Last 24 hours. '
      )}
      Invalid recipients and opt-outs do not count. Times are in {zone}.
    </p>
  );
}

/** A provider that accepts a smaller share of its messages has a problem. The share of fewer messages is not meaningful. */
const USUALLY_ACCEPTED = 0.9;
const MIN_MESSAGES = 5;

/** For how long after its last success a provider is called “Live”. Shops with few orders send some messages each week. */
const LIVE_MS = 7 * DAY;

interface ActivityProps {
  readonly state: ProviderState | Pick<ProviderState, 'kind'>;
  readonly activity?: Activity | undefined;
}

/** When a message or a check last succeeded; undefined if this is not known. */
export function lastSuccessOf({ state, activity }: ActivityProps): number | undefined {
  const checkedAt = 'lastSuccessAt' in state ? state.lastSuccessAt : undefined;
  return Math.max(checkedAt ?? 0, activity?.lastAcceptedAt ?? 0) || undefined;
}

/** Whether the provider's latest messages failed, so that it is no longer called “Live”. */
export function hasFailedInRow({ state, activity }: ActivityProps): boolean {
  const { failedInRow = 0, lastFailure } = activity ?? {};
  return failedInRow >= OUTAGE_FAILURES && lastFailure!.at > (lastSuccessOf({ state, activity }) ?? 0);
}

/** Whether a verified provider had no recent success. */
export const isIdle = (props: ActivityProps, now: number): boolean =>
  props.state.kind === 'live' && 'lastSuccessAt' in props.state && (lastSuccessOf(props) ?? 0) < now - LIVE_MS;

/** The badge of a provider's state. A verified provider without a recent success is “Idle”. */
export function ProviderBadge({ state, activity }: ActivityProps) {
  const { now } = useVisit();
  switch (state.kind) {
    case 'not verified':
      return <Badge kind="warning">Not verified</Badge>;
    case 'live': {
      if (hasFailedInRow({ state, activity }))
        return <Badge kind="bad">{`Last ${countText(activity!.failedInRow)} messages failed`}</Badge>;
      if (isIdle({ state, activity }, now)) return <Badge kind="neutral">Idle</Badge>;
      return <Badge kind="good">Live</Badge>;
    }
    case 'failing':
      return <Badge kind="bad">Failing</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

interface StateTextProps {
  readonly state: ProviderState;
}

/** Adds to the badge: `Since 2026-11-23 10:00 UTC, because the provider rejected the credentials (401).` */
export function ProviderStateText({ state }: StateTextProps) {
  switch (state.kind) {
    case 'failing':
      return (
        <>
          Since <LocalTime ms={state.since} />, because {state.reason}.
        </>
      );
    case 'live': {
      const success = lastSuccessOf({ state });
      return success === undefined ? null : (
        <>
          Last worked: <LocalTime ms={success} />.
        </>
      );
    }
    case 'not verified':
      return <>No check or message has succeeded with the current credentials yet.</>;
    case 'off':
      return null;
  }
}

interface ShareProps {
  readonly part: number;
  readonly of: number;
  readonly noun?: 'report' | 'code';
  readonly isLow?: boolean;
}

/** `96% of 47 reports`; `No reports` without any. The share stands out if it is low. */
const Share = ({ part, of, noun, isLow = false }: ShareProps) =>
  of === 0 ? (
    <span class="quiet none">No {noun ?? 'message'}s</span>
  ) : (
    <span class="rate">
      <span class={isLow ? 'badge bad' : undefined}>{percent(rate(part, of))}</span>{' '}
      <span class="quiet small">
        of {countText(of)}
        {noun && ` ${of === 1 ? noun : `${noun}s`}`}
      </span>
    </span>
  );

/** Links to the countries in which unusually few codes are entered. Home and Protection count all their codes since yesterday. */
export const FewEntered = ({ unusual }: Pick<Activity, 'unusual'>) =>
  groupBy(unusual, ({ application }) => application.appKey).map((found) => {
    const [{ application }] = found as [(typeof found)[number]];
    const named = found.slice(0, NAMED_COUNTRIES).map(({ country }) => recipientsIn(country));
    return (
      <a key={application.appKey} class="few small" href={`${protectionPath(application)}#countries`}>
        Low: {listOf(named, found.length)}
      </a>
    );
  });

const CodesEntered = ({ codes, entered, unusual }: Activity) => (
  <>
    <Share part={entered} of={codes} noun="code" />
    <FewEntered unusual={unusual} />
  </>
);

/** Links to the messages that failed for the same reason as the newest one, and says why no other provider sent them. */
function FailedMessages({ messages }: { readonly messages: Activity['failedMessages'] }) {
  const zone = useTimeZone();
  const [newest] = messages;
  if (!newest) return null;
  const reason = reasonKey(newest);
  const alike = messages.filter((message) => reasonKey(message) === reason);
  const query = { state: 'failed', reason, from: alike.at(-1)!.createdAt, until: newest.createdAt, zone } as const;
  const unknown = newest.attempts.length === 1 ? unknownAttempt(newest) : undefined;
  return (
    <>
      <a
        class="nowrap"
        href={urlOf('/messages', query)}
        aria-label={`Show ${alike.length === 1 ? 'the failed message' : `${countText(alike.length)} failed messages`}`}
      >
        {countText(alike.length)} failed
      </a>
      {unknown && `: ${uncertainText(unknown.provider, alike.length)}`}
    </>
  );
}

/** Links to the messages on the outage's channel during an outage that is over: `Outage: 02:10 to 02:29`. */
function OutageLink({ first, last, channel }: NonNullable<Activity['outage']>) {
  const zone = useTimeZone();
  return (
    <a class="nowrap" href={urlOf('/messages', { channel, from: first, until: last, zone })}>
      Outage:{' '}
      {utcMinute(first) !== utcMinute(last) && (
        <>
          <LocalTime ms={first} until={last} /> to{' '}
        </>
      )}
      <LocalTime ms={last} />
    </a>
  );
}

export const isRarelyAccepted = ({ accepted, failed }: Activity): boolean =>
  accepted + failed >= MIN_MESSAGES && accepted < USUALLY_ACCEPTED * (accepted + failed);

const Accepted = (activity: Activity) => (
  <Share part={activity.accepted} of={activity.accepted + activity.failed} isLow={isRarelyAccepted(activity)} />
);

/** When and why the provider last failed, what happened to the messages, and the latest outage that is over. */
export function LastFailure({ lastFailure, outage, failedMessages, rescued }: Activity) {
  if (!lastFailure) return null;
  const { at, reason, channel } = lastFailure;
  const isOutage = outage?.last === at;
  return (
    <>
      {channel && `${CHANNEL_NAMES[channel]}, `}
      {isOutage ? <OutageLink {...outage} /> : <LocalTime ms={at} />}
      <div class="quiet small">{sentence(withoutCode(reason))}</div>
      {outage && !isOutage && (
        <div class="small">
          <OutageLink {...outage} />
        </div>
      )}
      <div class="quiet small">
        {rescued > 0 && `${countText(rescued)} sent by another provider${failedMessages.length > 0 ? ', ' : ''}`}
        <FailedMessages messages={failedMessages} />
      </div>
    </>
  );
}

type Cell = (props: ActivityProps) => ComponentChildren;

/** The titles and texts of a provider's rates, and of its latest failure. */
export const ACTIVITY: readonly (readonly [title: string, cell: Cell, number?: boolean])[] = [
  ['Accepted', ({ activity }) => activity && <Accepted {...activity} />, true],
  [
    'Delivered',
    ({ activity }) => activity && <Share part={activity.delivered} of={activity.reported} noun="report" />,
    true,
  ],
  ['Codes entered', ({ activity }) => activity && <CodesEntered {...activity} />, true],
  ['Last failed', ({ activity }) => activity?.lastFailure && <LastFailure {...activity} />],
];
