/** The figures of today, each with a chart of the last days. */
import { LIST } from '../../platform/list.js';
import { startOfLocalDay } from '../../platform/local-day.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { Badge } from '../components/badge.js';
import { Sparkline } from '../components/sparkline.js';
import { urlOf } from '../messages/filter.js';
import {
  conversionRate,
  costText,
  countText,
  deliveryRate,
  mainCost,
  percent,
  usualText,
  type Sum,
} from '../usage/figures.js';
import { shortDay } from '../usage/period.js';
import type { HomeState } from './home-state.js';

interface Figure {
  readonly name: string;
  readonly href: string;
  /** The height of a bar. */
  readonly valueOf: (sum: Sum) => number | undefined;
  readonly text: (sum: Sum) => string;
  /** Defines the figure, or names the counts of a share. */
  readonly detail: (sum: Sum) => string;
  readonly isShare?: boolean;
}

interface UsualProps {
  readonly name: string;
  readonly text: string | undefined;
  readonly reason: string | undefined;
}

/** `15× a usual full day (4)`, and what explains it. Many sent messages are not a problem in themselves. */
function Usual({ name, text, reason }: UsualProps) {
  if (text === undefined) return null;
  return (
    <div>
      {name === 'Sent' ? <p class="detail">{text}</p> : <Badge kind="warning">{text}</Badge>}
      {reason && <p class="detail">{reason}</p>}
    </div>
  );
}

const partOf = (part: number, whole: number, unit: string) => `${countText(part)} of ${countText(whole)} ${unit}`;

type Reasons = Pick<HomeState, 'named' | 'others' | 'outage'>;

/** Countries with a smaller share of the messages explain nothing. */
const EXPLAINING_SHARE = 0.1;

/** `91% without Bangladesh and France`, `58 while Twilio failed`; undefined if no concern explains the figure. `from`: the start of today. */
export function reasonText(
  { name, text }: Pick<Figure, 'name' | 'text'>,
  today: Sum,
  before: readonly Sum[],
  from: number,
  reasons: Reasons,
) {
  const { named, others, outage } = reasons;
  const isExplained =
    others.sent <= (1 - EXPLAINING_SHARE) * today.sent && usualText(name, others, before) === undefined;
  if (name === 'Failed' && outage && outage.first >= from)
    return `${countText(outage.failures.length)} while ${outage.name} failed`;
  if (named.length === 0 || !isExplained) return undefined;
  const countries =
    named.length > NAMED_COUNTRIES ? `${named.length} countries` : LIST.format(named.map(countryInSentence));
  return `${text(others)} without ${countries}`;
}

interface TodayProps extends Reasons, Pick<HomeState, 'days' | 'timeZone' | 'currency' | 'hasPrice'> {
  /** App Key of the application that the figures are of; undefined for all applications. */
  readonly application?: string;
}

/** An amount and its currency stay in one line. */
const unbroken = (text: string): string => text.replace(/(?<=\d) (?=[A-Z]{3}\b)/g, '\u00a0');

/** The figures of today, compared with the days before. */
export function TodayFigures({ days, timeZone, currency, hasPrice, application, ...reasons }: TodayProps) {
  const { day, sum: today } = days.at(-1)!;
  const before = days.slice(0, -1).map(({ sum }) => sum);
  const from = startOfLocalDay(day, timeZone);
  const usage = urlOf('/usage', { application }, { from: day, to: day });
  const [main] = mainCost(today, currency);
  const costOf = ({ costs }: Sum) => Number(costs.find(([own]) => own === main)?.[1] ?? 0n);
  const figures: readonly Figure[] = [
    {
      name: 'Sent',
      href: urlOf('/messages', { application, from, zone: timeZone }),
      valueOf: ({ sent }) => sent,
      text: ({ sent }) => countText(sent),
      detail: () => 'accepted by a provider',
    },
    {
      name: 'Delivered',
      href: usage,
      valueOf: deliveryRate,
      isShare: true,
      text: (sum) => percent(deliveryRate(sum)),
      detail: ({ delivered, undelivered }) => partOf(delivered, delivered + undelivered, 'delivery reports'),
    },
    {
      name: 'Codes entered',
      href: usage,
      valueOf: conversionRate,
      isShare: true,
      text: (sum) => percent(conversionRate(sum)),
      detail: ({ verified, codes }) => partOf(verified, codes, 'codes'),
    },
    {
      name: 'Failed',
      // Failed and expired messages, which have separate lists.
      href: usage,
      valueOf: ({ failed }) => failed,
      text: ({ failed }) => countText(failed),
      detail: () => 'not sent, or not confirmed',
    },
    {
      name: 'Cost',
      href: usage,
      valueOf: costOf,
      text: (sum) => costText(sum, currency, hasPrice),
      detail: () => 'for sent messages',
    },
  ];
  return (
    <section id="today-figures" aria-labelledby="today" class="stack">
      <div>
        <h2 id="today">Today</h2>
        <p class="lead">Since midnight. The charts show the last {days.length} days.</p>
      </div>
      <dl class="figures today">
        {figures.map((figure) => {
          const { name, href, valueOf, text, detail, isShare = false } = figure;
          return (
            <div key={name} class="card">
              <dt>
                <a href={href}>{name}</a>
              </dt>
              <dd>
                {unbroken(text(today))}
                <p class="detail">{detail(today)}</p>
                <Usual
                  name={name}
                  text={usualText(name, today, before)}
                  reason={reasonText(figure, today, before, from, reasons)}
                />
                <Sparkline
                  isShare={isShare}
                  bars={days.map(({ day, sum }) => ({ name: `${shortDay(day)}: ${text(sum)}`, value: valueOf(sum) }))}
                />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
