/** The figures of today, each with a chart of the last days. */
import { LIST } from '../../platform/list.js';
import { startOfLocalDay } from '../../platform/local-day.js';
import type { BudgetUnit } from '../../modules/budgets/budgets.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { useNow } from '../components/context.js';
import { Sparkline } from '../components/sparkline.js';
import { urlOf } from '../messages/filter.js';
import { budgetStart } from '../protection/budget-times.js';
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
import type { WithoutNamed } from './ended-period.js';
import type { HomeState } from './home-state.js';

export interface Figure {
  readonly name: string;
  readonly href: string;
  /** The height of a bar. */
  readonly valueOf: (sum: Sum) => number | undefined;
  /** Formats a value. */
  readonly format: (value: number) => string;
  /** Defines the figure, or names the counts of a share; "" or undefined if the value needs no detail. */
  readonly detail?: (sum: Sum) => string;
  /** Whether there are enough messages to call the value unusual. */
  readonly isJudged: (sum: Sum) => boolean;
  readonly isShare?: boolean;
  /** The unit of the budgets that limit it. */
  readonly budget?: BudgetUnit;
  /** Whether most days have none, so that a typical day may have none, too. */
  readonly isRare?: boolean;
  /** How an unusual value is marked if nothing explains it. */
  readonly mark: BadgeKind;
  /** Names a value in a sentence, unless its format does: `90% of codes entered`. */
  readonly suffix?: string;
}

interface Comparison {
  /** The usual value: `typical day: 1,070`. */
  readonly text: string;
  /** How many times as much as on a typical day: `2×`; undefined for shares, and if the value is usual. */
  readonly factor?: string;
  readonly isUnusual: boolean;
}

type Compared = Pick<Figure, 'valueOf' | 'format' | 'isJudged' | 'isShare' | 'isRare'>;

/** `2.5`, `15` */
const factorText = (factor: number): string =>
  countText(factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor));

/** Returns the value of a typical day; undefined if no value is usual. */
function typicalOf({ valueOf, isShare = false, isRare = false }: Compared, before: readonly Sum[]): number | undefined {
  const values = before.map((sum) => valueOf(sum) ?? 0);
  const mayBeNone = !isShare && usualOf(before.map(({ sent }) => sent)) !== undefined;
  return usualOf(values) ?? (mayBeNone && (isRare || total(values) === 0) ? 0 : undefined);
}

/** Compares a figure with the days before today; undefined if no value is usual. */
export function comparisonOf(figure: Compared, today: Sum, before: readonly Sum[]): Comparison | undefined {
  const { valueOf, format, isJudged, isShare = false } = figure;
  const value = valueOf(today);
  const usual = typicalOf(figure, before);
  if (value === undefined || usual === undefined) return undefined;
  const isUnusual = isJudged(today) && (isShare ? isLow(value, usual) : value > usual && isHigh(value, usual));
  const text = `typical day: ${format(usual)}`;
  const hasFactor = isUnusual && usual > 0 && !isShare;
  return { text, isUnusual, ...(hasFactor && { factor: `${factorText(value / usual)}×` }) };
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

/** Returns the mark of an unusual number of failures with a common cause. It is a warning unless the other failures are unusual, too. */
export function explainedMark(
  figure: Figure,
  today: Sum,
  before: readonly Sum[],
  from: number,
  reasons: Reasons,
): BadgeKind {
  const explained = figure.name === 'Failed' ? (explainedFailures(today, from, reasons)?.count ?? 0) : 0;
  const rest = { ...today, failed: today.failed - explained };
  return explained > 0 && comparisonOf(figure, rest, before)?.isUnusual ? figure.mark : 'warning';
}

/** `58 during the Twilio outage`, `4 to invalid recipients`; undefined if no common cause explains the unusual figure. `from`: the start of today. */
export function causeText(
  figure: Compared & Pick<Figure, 'name'>,
  today: Sum,
  before: readonly Sum[],
  from: number,
  reasons: Reasons,
) {
  if (figure.name !== 'Failed' || !comparisonOf(figure, today, before)?.isUnusual) return undefined;
  const explained = explainedFailures(today, from, reasons);
  return explained && `${countText(explained.count)} ${explained.cause}`;
}

/** Returns an unusual figure without the countries that alerts name: `91%`; undefined if these countries do not explain it. */
export function valueWithoutNamed(
  figure: Compared,
  today: Sum,
  before: readonly Sum[],
  { named, others }: WithoutNamed,
): string | undefined {
  if (named.length === 0 || !comparisonOf(figure, today, before)?.isUnusual) return undefined;
  const rest = figure.valueOf(others);
  // Even a share of a few messages must be as high as usual.
  const compared = figure.isShare ? { ...figure, isJudged: () => true } : figure;
  const isExplained =
    others.sent <= (1 - EXPLAINING_SHARE) * today.sent && !comparisonOf(compared, others, before)?.isUnusual;
  return isExplained && rest !== undefined ? figure.format(rest) : undefined;
}

/** `Without Bangladesh and France: 53 sent, 90% of codes entered, 3.64 USD.` */
export function withoutText(named: readonly string[], values: readonly string[]): string {
  const countries =
    named.length > NAMED_COUNTRIES ? `${named.length} countries` : LIST.format(named.map(countryInSentence));
  return `Without ${countries}: ${values.join(', ')}.`;
}

interface TodayProps extends Reasons, Pick<HomeState, 'concerns' | 'days' | 'timeZone' | 'currency' | 'hasPrice'> {
  /** App Key of the application that the figures are of; undefined for all applications. */
  readonly application?: string;
  /** Whether the latest message was sent to the dev inbox. */
  readonly hasTestMessage?: boolean;
}

/** Fewer failures than this are never marked, such as a mistyped number. */
const JUDGED_FAILURES = 3;

const detailOf = (part: number, whole: number, noun: string): string =>
  whole === 0 ? `no ${noun}s yet` : partText(part, whole, noun);

const ENTERED: Omit<Figure, 'href' | 'mark'> = {
  name: 'Codes entered',
  valueOf: conversionRate,
  isShare: true,
  format: percent,
  isJudged: ({ codes }) => codes >= JUDGED_CODES,
};

/** Many messages are neither good nor bad if people enter the codes as usual, or if nearly all are notifications. Otherwise, they may be fraud or a loop. */
export const trafficMarkOf = ({ others }: WithoutNamed, before: readonly Sum[]): BadgeKind =>
  ENTERED.isJudged(others) && comparisonOf(ENTERED, others, before)?.isUnusual !== false ? 'warning' : 'neutral';

/** The figures of today, compared with the days before. */
export function TodayFigures(props: TodayProps) {
  const { concerns, days, timeZone, currency, hasPrice, application, hasTestMessage = false, ...reasons } = props;
  const budgetFrom = budgetStart(useNow(), timeZone);
  const { day, sum: today } = days.at(-1)!;
  const before = days.slice(0, -1).map(({ sum }) => sum);
  const from = startOfLocalDay(day, timeZone);
  const usage = urlOf('/usage', { application }, { from: day, to: day });
  const [main] = mainCost(today, currency);
  const costOf = ({ costs }: Sum) =>
    hasPrice || costs.length > 0 ? Number(costs.find(([own]) => own === main)?.[1] ?? 0n) : undefined;
  const trafficMark = trafficMarkOf(reasons, before);
  const isBusy = ({ sent }: Sum) => sent >= NOTABLE_MESSAGES;
  const figures: readonly Figure[] = [
    {
      name: 'Sent',
      href: urlOf('/messages', { application, from, zone: timeZone }),
      valueOf: ({ sent }) => sent,
      format: countText,
      isJudged: isBusy,
      mark: trafficMark,
      budget: 'messages',
      suffix: 'sent',
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
      suffix: 'delivered',
    },
    {
      ...ENTERED,
      href: usage,
      detail: ({ verified, codes }) => detailOf(verified, codes, 'code'),
      mark: 'warning',
      suffix: 'of codes entered',
    },
    {
      name: 'Failed',
      // Failed and expired messages, which have separate lists.
      href: usage,
      valueOf: ({ failed }) => failed,
      format: countText,
      detail: ({ failed }) => (failed === 0 ? '' : 'not accepted, or outcome unknown'),
      isJudged: ({ failed }) => failed >= JUDGED_FAILURES,
      isRare: true,
      mark: 'bad',
      suffix: 'failed',
    },
    {
      name: 'Cost',
      href: usage,
      valueOf: costOf,
      format: (value) => unbroken(moneyText(value, main)),
      isJudged: isBusy,
      mark: trafficMark,
      budget: 'cost',
    },
  ];
  const textOf = ({ name, valueOf, format }: Figure, sum: Sum) => {
    const value = valueOf(sum);
    if (name === 'Cost') return unbroken(costText(sum, currency, hasPrice));
    return value === undefined ? percent(value) : format(value);
  };
  const values = figures.map((figure) => valueWithoutNamed(figure, today, before, reasons));
  const explained = values.flatMap((value, n) =>
    value === undefined ? [] : [[value, figures[n]!.suffix].filter(Boolean).join(' ')],
  );
  return (
    <section id="today-figures" aria-labelledby="today" class="stack">
      <div class="figures-head">
        <h2 id="today">Today so far</h2>
        <p class="quiet small">
          Typical day: median of recent full days
          {hasTestMessage && '. Messages in the dev inbox do not count.'}
        </p>
      </div>
      <dl class="figures">
        {figures.map((figure, n) => {
          const { name, href, valueOf, detail, budget, isShare = false } = figure;
          const cause = causeText(figure, today, before, from, reasons);
          const usual = values[n] === undefined || isShare ? figure.mark : 'neutral';
          const mark = cause ? explainedMark(figure, today, before, from, reasons) : usual;
          // Only low shares and high counts are unusual.
          const { text, factor = isShare ? 'Low' : 'High', isUnusual } = comparisonOf(figure, today, before) ?? {};
          // The alert about the budget has another number.
          const isOther = budgetFrom !== '00:00' && concerns.some((one) => budget && one.budget === budget);
          const start = isOther && `budget counts from ${budgetFrom}`;
          const details = [text, cause ?? detail?.(today), start].filter(Boolean);
          return (
            <div key={name} class="card">
              <dt>
                <a href={href}>{name}</a>
              </dt>
              <dd>
                <span class="value">{textOf(figure, today)}</span> {isUnusual && <Badge kind={mark}>{factor}</Badge>}
                <div>
                  {details.map((one) => (
                    <p key={one} class="detail">
                      {one}
                    </p>
                  ))}
                </div>
                <Sparkline
                  isShare={isShare}
                  typical={typicalOf(figure, before)}
                  bars={days.map((one) => ({
                    name:
                      one.day === day
                        ? [`Today so far: ${textOf(figure, today)}`, text].filter(Boolean).join(', ')
                        : `${shortDay(one.day)}: ${textOf(figure, one.sum)}`,
                    value: valueOf(one.sum),
                  }))}
                />
              </dd>
            </div>
          );
        })}
      </dl>
      {explained.length > 0 && <p class="quiet small">{withoutText(reasons.named, explained)}</p>}
    </section>
  );
}
