/** The figures of today, each with a chart of the last days. */
import { LIST } from '../../platform/list.js';
import { startOfLocalDay } from '../../platform/local-day.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Sparkline } from '../components/sparkline.js';
import { urlOf } from '../messages/filter.js';
import {
  conversionRate,
  costText,
  countText,
  deliveryRate,
  isHigh,
  isLow,
  JUDGED_CODES,
  mainCost,
  moneyText,
  NOTABLE_MESSAGES,
  partText,
  percent,
  total,
  unbroken,
  usualOf,
  type Sum,
} from '../usage/figures.js';
import { shortDay } from '../usage/period.js';
import type { HomeState } from './home-state.js';

export interface Figure {
  readonly name: string;
  readonly href: string;
  /** The height of a bar. */
  readonly valueOf: (sum: Sum) => number | undefined;
  /** Formats a value. */
  readonly format: (value: number) => string;
  /** Defines the figure, or names the counts of a share; undefined if the name says it. */
  readonly detail?: (sum: Sum) => string;
  /** Whether there are enough messages to call the value unusual. */
  readonly isJudged: (sum: Sum) => boolean;
  readonly isShare?: boolean;
  /** How an unusual value is marked if no alert explains it: many messages are neither good nor bad, many failures are bad. */
  readonly mark: BadgeKind;
}

interface Comparison {
  /** The usual value: `typical day: 1,070`. */
  readonly text: string;
  /** How many times as much as on a typical day: `2× a typical day`; undefined for shares, and if the value is usual. */
  readonly factor?: string;
  readonly isUnusual: boolean;
}

type Compared = Pick<Figure, 'valueOf' | 'format' | 'isJudged' | 'isShare'>;

/** `2.5`, `15` */
const factorText = (factor: number): string =>
  countText(factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor));

/** Compares a figure with the days before today; undefined if no value is usual. */
export function comparisonOf(
  { valueOf, format, isJudged, isShare = false }: Compared,
  today: Sum,
  before: readonly Sum[],
): Comparison | undefined {
  const value = valueOf(today);
  const values = before.map((sum) => valueOf(sum) ?? 0);
  const isNeverCounted = !isShare && usualOf(before.map(({ sent }) => sent)) !== undefined && total(values) === 0;
  const usual = isNeverCounted ? 0 : usualOf(values);
  if (value === undefined || usual === undefined) return undefined;
  const isUnusual = isJudged(today) && (isShare ? isLow(value, usual) : value > usual && isHigh(value, usual));
  const text = `typical day: ${format(usual)}`;
  const hasFactor = isUnusual && usual > 0 && !isShare;
  return { text, isUnusual, ...(hasFactor && { factor: `${factorText(value / usual)}× a typical day` }) };
}

interface ComparisonProps extends Pick<Figure, 'mark' | 'isShare'> {
  readonly comparison: Comparison | undefined;
}

/** Only low shares and high counts are unusual. */
function ComparisonLine({ comparison, mark, isShare = false }: ComparisonProps) {
  if (!comparison) return null;
  const { text, factor = isShare ? 'Low' : 'High', isUnusual } = comparison;
  return (
    <>
      {isUnusual && <Badge kind={mark}>{factor}</Badge>}
      <p class="detail">{text}</p>
    </>
  );
}

type Reasons = Pick<HomeState, 'named' | 'others' | 'outage'> & Partial<Pick<HomeState, 'failures'>>;

/** Countries with a smaller share of the messages explain nothing. */
const EXPLAINING_SHARE = 0.1;

/** Today's failures with a common cause, if they are at least half of them: `58` and `during the Twilio outage`. `from`: the start of today. */
function explainedFailures({ failed }: Sum, from: number, { outage, failures = [] }: Reasons) {
  const wrong = failures.filter((message) => message.createdAt >= from && hasWrongRecipient(message)).length;
  const causes = [
    { count: outage && outage.first >= from ? outage.failures.length : 0, cause: `during the ${outage?.name} outage` },
    { count: wrong, cause: 'to invalid recipients' },
  ];
  return causes.find(({ count }) => count > 0 && count >= failed / 2);
}

/** Returns the mark of an unusual figure with a reason. It is neutral unless the other failures are unusual, too. */
export function explainedMark(
  figure: Figure,
  today: Sum,
  before: readonly Sum[],
  from: number,
  reasons: Reasons,
): BadgeKind {
  const explained = figure.name === 'Failed' ? (explainedFailures(today, from, reasons)?.count ?? 0) : 0;
  const rest = { ...today, failed: today.failed - explained };
  return explained > 0 && comparisonOf(figure, rest, before)?.isUnusual ? figure.mark : 'neutral';
}

/** `91% without Bangladesh and France`, `58 during the Twilio outage`, `4 to invalid recipients`; undefined if nothing explains the unusual figure. `from`: the start of today. */
export function reasonText(
  figure: Compared & Pick<Figure, 'name'>,
  today: Sum,
  before: readonly Sum[],
  from: number,
  reasons: Reasons,
) {
  if (figure.name === 'Sent' || !comparisonOf(figure, today, before)?.isUnusual) return undefined;
  const explained = figure.name === 'Failed' && explainedFailures(today, from, reasons);
  if (explained) return `${countText(explained.count)} ${explained.cause}`;
  const { named, others } = reasons;
  const rest = figure.valueOf(others);
  // Even a share of a few messages must be as high as usual.
  const compared = figure.isShare ? { ...figure, isJudged: () => true } : figure;
  const isExplained =
    others.sent <= (1 - EXPLAINING_SHARE) * today.sent && !comparisonOf(compared, others, before)?.isUnusual;
  if (named.length === 0 || !isExplained || rest === undefined) return undefined;
  const countries =
    named.length > NAMED_COUNTRIES ? `${named.length} countries` : LIST.format(named.map(countryInSentence));
  return `${figure.format(rest)} without ${countries}`;
}

interface TodayProps extends Reasons, Pick<HomeState, 'days' | 'timeZone' | 'currency' | 'hasPrice'> {
  /** App Key of the application that the figures are of; undefined for all applications. */
  readonly application?: string;
  /** Whether the latest message was sent to the dev inbox. */
  readonly hasTestMessage?: boolean;
}

/** Fewer failures than this are never marked, such as a mistyped number. */
const JUDGED_FAILURES = 3;

const detailOf = (part: number, whole: number, noun: string): string =>
  whole === 0 ? `no ${noun}s yet` : partText(part, whole, noun);

/** The figures of today, compared with the days before. */
export function TodayFigures(props: TodayProps) {
  const { days, timeZone, currency, hasPrice, application, hasTestMessage = false, ...reasons } = props;
  const { day, sum: today } = days.at(-1)!;
  const before = days.slice(0, -1).map(({ sum }) => sum);
  const from = startOfLocalDay(day, timeZone);
  const usage = urlOf('/usage', { application }, { from: day, to: day });
  const [main] = mainCost(today, currency);
  const costOf = ({ costs }: Sum) =>
    hasPrice || costs.length > 0 ? Number(costs.find(([own]) => own === main)?.[1] ?? 0n) : undefined;
  const isBusy = ({ sent }: Sum) => sent >= NOTABLE_MESSAGES;
  const figures: readonly Figure[] = [
    {
      name: 'Sent',
      href: urlOf('/messages', { application, from, zone: timeZone }),
      valueOf: ({ sent }) => sent,
      format: countText,
      isJudged: isBusy,
      mark: 'neutral',
    },
    {
      name: 'Delivered',
      href: usage,
      valueOf: deliveryRate,
      isShare: true,
      format: percent,
      detail: ({ delivered, undelivered }) => detailOf(delivered, delivered + undelivered, 'report'),
      isJudged: ({ delivered, undelivered }) => delivered + undelivered >= JUDGED_CODES,
      mark: 'warning',
    },
    {
      name: 'Codes entered',
      href: usage,
      valueOf: conversionRate,
      isShare: true,
      format: percent,
      detail: ({ verified, codes }) => detailOf(verified, codes, 'code'),
      isJudged: ({ codes }) => codes >= JUDGED_CODES,
      mark: 'warning',
    },
    {
      name: 'Failed',
      // Failed and expired messages, which have separate lists.
      href: usage,
      valueOf: ({ failed }) => failed,
      format: countText,
      detail: () => 'not accepted, or outcome unknown',
      isJudged: ({ failed }) => failed >= JUDGED_FAILURES,
      mark: 'bad',
    },
    {
      name: 'Cost',
      href: usage,
      valueOf: costOf,
      format: (value) => unbroken(moneyText(value, main)),
      isJudged: isBusy,
      mark: 'neutral',
    },
  ];
  const textOf = ({ name, valueOf, format }: Figure, sum: Sum) => {
    const value = valueOf(sum);
    if (name === 'Cost') return unbroken(costText(sum, currency, hasPrice));
    return value === undefined ? percent(value) : format(value);
  };
  return (
    <section id="today-figures" aria-labelledby="today" class="stack">
      <div>
        <h2 id="today">Today</h2>
        <p class="lead">
          Since midnight. Charts show {days.length} days; a typical day is the median of the first {before.length}.
          {hasTestMessage && ' Messages in the dev inbox do not count.'}
        </p>
      </div>
      <dl class="figures">
        {figures.map((figure) => {
          const { name, href, valueOf, detail, isShare = false, mark } = figure;
          const reason = reasonText(figure, today, before, from, reasons);
          return (
            <div key={name} class="card">
              <dt>
                <a href={href}>{name}</a>
              </dt>
              <dd>
                <span class="value">{textOf(figure, today)}</span>{' '}
                <div>
                  <ComparisonLine
                    comparison={comparisonOf(figure, today, before)}
                    isShare={isShare}
                    mark={reason ? explainedMark(figure, today, before, from, reasons) : mark}
                  />
                  {detail && (isShare || !reason) && <p class="detail">{detail(today)}</p>}
                  {reason && <p class="detail">{reason}</p>}
                </div>
                <Sparkline
                  isShare={isShare}
                  bars={days.map(({ day, sum }) => ({
                    name: `${shortDay(day)}: ${textOf(figure, sum)}`,
                    value: valueOf(sum),
                  }))}
                />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
