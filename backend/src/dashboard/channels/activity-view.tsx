/** A provider's state, and its times and rates of the last day. */
import type { ComponentChildren } from 'preact';
import type { ProviderState } from '../../modules/providers/provider-state.js';
import { DAY } from '../../platform/clock.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Time } from '../components/time.js';
import { countText, percent, rate } from '../usage/figures.js';
import { MAX_MESSAGES, type Activity } from './activity.js';
import { sentence } from './labels.js';

export const RATES_HINT = `Figures of the last 24 hours, while Home shows today. At most the newest ${countText(MAX_MESSAGES)} messages count. Messages to wrong numbers and addresses do not count.`;

/** For how long after its last success a provider is called “Live”. Shops with few orders send some messages each week. */
const LIVE_MS = 7 * DAY;
/** After so many failures without a success, a provider is no longer called “Live”. */
const FAILED_IN_ROW = 3;

interface ActivityProps {
  readonly state: ProviderState | Pick<ProviderState, 'kind'>;
  readonly activity?: Activity | undefined;
}

/** When a message or a check last succeeded; undefined if this is not known. */
export function lastSuccessOf({ state, activity }: ActivityProps): number | undefined {
  const checkedAt = 'lastSuccessAt' in state ? state.lastSuccessAt : undefined;
  return Math.max(checkedAt ?? 0, activity?.lastAcceptedAt ?? 0) || undefined;
}

/** The badge of a provider's state. A verified provider without a recent success is “Ready, not used recently”. */
export function ProviderBadge({ state, activity }: ActivityProps) {
  const { now } = useVisit();
  switch (state.kind) {
    case 'not verified':
      return <Badge kind="warning">Not verified</Badge>;
    case 'live': {
      const success = lastSuccessOf({ state, activity });
      const { failedInRow = 0, lastFailure } = activity ?? {};
      if (failedInRow >= FAILED_IN_ROW && lastFailure!.at > (success ?? 0))
        return <Badge kind="bad">{`Last ${countText(failedInRow)} messages failed`}</Badge>;
      const isReady = 'lastSuccessAt' in state && (success ?? 0) < now - LIVE_MS;
      return isReady ? <Badge kind="info">Ready, not used recently</Badge> : <Badge kind="good">Live</Badge>;
    }
    case 'failing':
      return <Badge kind="bad">Failing</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

const acceptedText = ({ accepted, failed }: Activity): string =>
  `${percent(rate(accepted, accepted + failed))} of ${countText(accepted + failed)}`;

const LastFailure = ({ at, reason }: NonNullable<Activity['lastFailure']>) => (
  <>
    <Time ms={at} />
    <div class="quiet small">{sentence(reason)}</div>
  </>
);

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
      return success && <Time ms={success} />;
    },
  ],
  ['Last failed', ({ activity }) => activity?.lastFailure && <LastFailure {...activity.lastFailure} />],
];
