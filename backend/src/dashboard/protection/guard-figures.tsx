/** The figures of the Protection page: refused messages with their cost, pauses, and entered codes. */
import { messagesOf, type FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { listOf, NAMED_COUNTRIES, placeName } from '../../modules/fraud/fraud-texts.js';
import { REFUSALS_SHOWN_DAYS } from '../../modules/fraud/refusal-counts.js';
import { Figure, FigureStrip } from '../components/figure-strip.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { countText, percent, rate, total, unbroken } from '../usage/figures.js';

/** `since yesterday; 92% without unusual countries` */
function enteredDetail({ lately, latelyTotal: { sent, verified } }: FraudOverview): string {
  const unusual = lately.filter(({ isUnusual, key }) => isUnusual && key !== '');
  const others = sent - total(unusual.map((view) => view.sent));
  if (unusual.length === 0 || others === 0) return 'since yesterday';
  const share = rate(verified - total(unusual.map((view) => view.verified)), others);
  return `since yesterday; ${percent(share)} without unusual countries`;
}

interface GuardFiguresProps {
  /** The list of the refused messages. */
  readonly query: MessageQuery;
  readonly overview: FraudOverview;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
}

export function GuardFigures({ query, overview, saved }: GuardFiguresProps) {
  const { refusals, scopes, latelyTotal } = overview;
  const active = scopes.filter(({ state }) => state !== 'allowed');
  const isChallenged = active.some(({ state }) => state === 'challenged');
  const names = active.slice(0, NAMED_COUNTRIES).map((scope) => placeName(scope));
  const { sent, verified } = latelyTotal;
  return (
    <FigureStrip>
      <Figure
        name={<a href={urlOf('/messages', query)}>Refused messages</a>}
        value={countText(messagesOf(refusals))}
        detail={`in the last ${REFUSALS_SHOWN_DAYS} days`}
      />
      {saved && (
        <Figure name="Cost avoided" value={unbroken(saved)} detail={`estimate for ${REFUSALS_SHOWN_DAYS} days`} />
      )}
      <Figure
        name={isChallenged ? 'Paused or challenged' : 'Paused now'}
        value={countText(active.length)}
        detail={active.length === 0 ? 'Nothing is paused' : listOf(names, active.length)}
      />
      {sent > 0 && (
        <Figure name="Codes entered" value={percent(rate(verified, sent))} detail={enteredDetail(overview)} />
      )}
    </FigureStrip>
  );
}
