/** A provider's state, and its times and rates of the last day. */
import type { ComponentChildren } from 'preact';
import type { ProviderState } from '../../modules/providers/provider-state.js';
import { listOf, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { DAY, utcMinute } from '../../platform/clock.js';
import { Badge } from '../components/badge.js';
import { useTimeZone, useVisit } from '../components/context.js';
import { LocalTime } from '../components/time.js';
import { urlOf } from '../messages/filter.js';
import { reasonKey, withoutCode } from '../messages/reasons.js';
import { recipientsIn } from '../protection/unusual.js';
import { countText, percent, rate } from '../usage/figures.js';
import { MAX_MESSAGES, OUTAGE_FAILURES, type Activity, type RecentActivity } from './activity.js';
import { sentence } from './labels.js';

interface CoverageProps extends Pick<RecentActivity, 'since'> {
  /** Countries in which unusually few codes are entered; "" for numbers without a country. */
  readonly unusual: readonly string[];
}

/** Says which messages the figures cover. */
export function CoverageHint({ since, unusual }: CoverageProps) {
  const places = unusual.slice(0, NAMED_COUNTRIES).map(recipientsIn);
  const zone = useTimeZone();
  return (
    <p class="quiet small">
      These figures cover{' '}
      {since === undefined ? (
        'the last 24 hours.'
      ) : (
        <>
          the newest {countText(MAX_MESSAGES)} messages, since <LocalTime ms={since} />.
        </>
      )}{' '}
      Messages to invalid numbers or addresses, and to people who opted out, do not count. Times are in {zone}.
      {places.length > 0 &&
        ` Few codes to ${listOf(places, unusual.length, ',')} have been entered since yesterday, which lowers “Codes entered” for the providers that sent them.`}
    </p>
  );
}

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

/** The badge of a provider's state. A verified provider without a recent success is “Idle”. */
export function ProviderBadge({ state, activity }: ActivityProps) {
  const { now } = useVisit();
  switch (state.kind) {
    case 'not verified':
      return <Badge kind="warning">Not verified</Badge>;
    case 'live': {
      const success = lastSuccessOf({ state, activity });
      const { failedInRow = 0, lastFailure } = activity ?? {};
      if (failedInRow >= OUTAGE_FAILURES && lastFailure!.at > (success ?? 0))
        return <Badge kind="bad">{`Last ${countText(failedInRow)} messages failed`}</Badge>;
      const isReady = 'lastSuccessAt' in state && (success ?? 0) < now - LIVE_MS;
      if (isReady) return <Badge kind="info">Idle</Badge>;
      return <Badge kind="good">{activity?.outage ? 'Live again' : 'Live'}</Badge>;
    }
    case 'failing':
      return <Badge kind="bad">Failing</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

const acceptedText = ({ accepted, failed }: Activity): string =>
  `${percent(rate(accepted, accepted + failed))} of ${countText(accepted + failed)}`;

/** Links to the messages that failed for the same reason as the newest one. */
function FailedMessagesLink({ messages }: { readonly messages: Activity['failedMessages'] }) {
  const zone = useTimeZone();
  const [newest] = messages;
  if (!newest) return null;
  const reason = reasonKey(newest);
  const alike = messages.filter((message) => reasonKey(message) === reason);
  const query = { state: 'failed', reason, from: alike.at(-1)!.createdAt, until: newest.createdAt, zone } as const;
  return (
    <a href={urlOf('/messages', query)}>
      {alike.length === 1 ? 'Show the failed message' : `Show ${countText(alike.length)} failed messages`}
    </a>
  );
}

type Failure = Pick<Activity, 'outage'> & { readonly at: number };

/** `02:29`, or `02:10 to 02:29` if the failure was the last of an outage that is over. */
const FailureTime = ({ at, outage }: Failure) =>
  outage?.last === at && utcMinute(outage.first) !== utcMinute(at) ? (
    <>
      <LocalTime ms={outage.first} until={at} /> to <LocalTime ms={at} />
    </>
  ) : (
    <LocalTime ms={at} />
  );

/** When and why the provider failed in the last day. */
export function LastFailureText({ activity }: Pick<ActivityProps, 'activity'>) {
  if (!activity?.lastFailure) return null;
  const { at, reason } = activity.lastFailure;
  return (
    <p class="small">
      Last failed: <FailureTime at={at} outage={activity.outage} />. {sentence(withoutCode(reason))}{' '}
      <FailedMessagesLink messages={activity.failedMessages} />
    </p>
  );
}

const LastFailure = ({ lastFailure, outage }: Activity) =>
  lastFailure ? (
    <>
      <FailureTime at={lastFailure.at} outage={outage} />
      <div class="quiet small">{sentence(withoutCode(lastFailure.reason))}</div>
    </>
  ) : null;

type Cell = (props: ActivityProps) => ComponentChildren;

/** The titles and texts of a provider's rates and times. */
export const ACTIVITY: readonly (readonly [title: string, cell: Cell, number?: boolean])[] = [
  ['Accepted', ({ activity }) => activity && <span class="nowrap">{acceptedText(activity)}</span>, true],
  ['Delivered', ({ activity }) => activity && percent(rate(activity.delivered, activity.reported)), true],
  ['Codes entered', ({ activity }) => activity && percent(rate(activity.entered, activity.codes)), true],
  [
    'Last worked',
    (props) => {
      const success = lastSuccessOf(props);
      return success && <LocalTime ms={success} />;
    },
  ],
  ['Last failed', ({ activity }) => activity?.lastFailure && <LastFailure {...activity} />],
];
