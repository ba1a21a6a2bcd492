import type { ComponentChildren } from 'preact';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { visibleState, type Message } from '../../modules/messages/message.js';
import type { ChannelState, ChannelView } from '../../modules/providers/channel-view.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { startOfLocalDay } from '../../platform/local-day.js';
import { ProviderStateText, StateBadge } from '../channels/channels-view.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { InboxLink } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import { LocalTime } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { urlOf } from '../messages/filter.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { problemsOf, reasonKey } from '../messages/reasons.js';
import {
  conversionRate,
  costText,
  countText,
  deliveryRate,
  mainCost,
  percent,
  messagesText,
  usualText,
  type Sum,
} from '../usage/figures.js';
import { shortDay } from '../usage/period.js';
import { hasProvider, type Step } from './checklist.js';
import { COUNTED_FAILURES, type Concern } from './concern.js';
import { Attention, ResolvedConcerns } from './concerns-view.js';
import type { Failures, HomeState } from './home-state.js';
import { notRecoveredText, type Outage } from './outages.js';

/** How many groups of equal failures are listed. */
const SHOWN_GROUPS = 5;

/** `isUsed`: whether the account sends messages. If so, steps that are done are left out. */
function Checklist({ steps, isUsed }: { readonly steps: readonly Step[]; readonly isUsed: boolean }) {
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  const next = isUsed ? undefined : steps.find((step) => !step.done);
  const shown = isUsed ? steps.filter((step) => !step.done) : steps;
  return (
    <Card
      id="setup"
      title={isUsed ? 'Finish the setup' : 'Get started'}
      lead={`${done} of ${steps.length} steps done.`}
    >
      <ol class="checklist">
        {shown.map((step) => (
          <li key={step.title} class={step.done ? 'done' : undefined}>
            <div>
              <p class="strong">
                {step.title}
                {step.done && <span class="unseen">: done</span>}
              </p>
              <p class="quiet small">{step.text}</p>
            </div>
            {!step.done && step.link && (
              <a class={step === next ? 'button small' : 'button subtle small'} href={step.link.href}>
                {step.link.label}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface Bar {
  readonly name: string;
  readonly value: number | undefined;
}

interface SparklineProps {
  /** A day without a value is left out. */
  readonly bars: readonly Bar[];
  /** Whether the values are shares from 0 to 1, which are shown as a line. */
  readonly isShare?: boolean;
}

/** One bar or point for each day. Screen readers get the same numbers on the Usage page. */
export function Sparkline({ bars, isShare = false }: SparklineProps) {
  const top = isShare ? 1 : Math.max(...bars.map(({ value = 0 }) => value), 1e-9);
  const points = bars.flatMap(({ value }, n) =>
    value === undefined ? [] : [`${n * 4 + 1.5} ${(22 - 20 * value).toFixed(2)}`],
  );
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${bars.length * 4} 24`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {isShare && points.length > 0 && (
        <>
          <path class="area" d={`M${points[0]!.split(' ')[0]} 24L${points.join('L')}V24`} />
          <path class="line" d={`M${points.join('L')}`} />
          {/* A line without a length is a dot. */}
          <path class="line today" d={`M${points.at(-1)}h0`} />
        </>
      )}
      {bars.map(({ name, value = 0 }, n) => {
        const height = Math.max(1, (24 * value) / top);
        const tint = n === bars.length - 1 ? 'tint-a' : 'tint-plain';
        return (
          <g key={name}>
            <title>{name}</title>
            <rect class="hit" x={n * 4} width={4} height={24} />
            {!isShare && <rect class={tint} x={n * 4} y={24 - height} width={3} height={height} />}
          </g>
        );
      })}
    </svg>
  );
}

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

/** `15× a usual full day (4)`. Many sent messages are not a problem in themselves. */
function Usual({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return name === 'Sent' ? <p class="detail">{text}</p> : <Badge kind="warning">{text}</Badge>;
}

const partOf = (part: number, whole: number, unit: string) => `${countText(part)} of ${countText(whole)} ${unit}`;

type TodayProps = Pick<HomeProps, 'days' | 'timeZone' | 'currency' | 'hasPrice'> &
  Pick<LatestFailuresProps, 'application'>;

/** An amount and its currency stay in one line. */
const unbroken = (text: string): string => text.replace(/(?<=\d) (?=[A-Z]{3}\b)/g, '\u00a0');

/** The figures of today, compared with the days before. */
export function TodayFigures({ days, timeZone, currency, hasPrice, application }: TodayProps) {
  const { day, sum: today } = days.at(-1)!;
  const before = days.slice(0, -1).map(({ sum }) => sum);
  const usage = urlOf('/usage', { application }, { from: day, to: day });
  const since = { application, from: startOfLocalDay(day, timeZone), zone: timeZone };
  const [main] = mainCost(today, currency);
  const costOf = ({ costs }: Sum) => Number(costs.find(([own]) => own === main)?.[1] ?? 0n);
  const figures: readonly Figure[] = [
    {
      name: 'Sent',
      href: urlOf('/messages', since),
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
      href: urlOf('/messages', { state: 'failed', ...since }),
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
        {figures.map(({ name, href, valueOf, text, detail, isShare = false }) => (
          <div key={name} class="card">
            <dt>
              <a href={href}>{name}</a>
            </dt>
            <dd>
              {unbroken(text(today))}
              <p class="detail">{detail(today)}</p>
              <Usual name={name} text={usualText(name, today, before)} />
              <Sparkline
                isShare={isShare}
                bars={days.map(({ day, sum }) => ({ name: `${shortDay(day)}: ${text(sum)}`, value: valueOf(sum) }))}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface CauseProps extends Pick<LatestFailuresProps, 'timeZone'> {
  readonly count: number;
  readonly link: Concern['link'];
  readonly reason: string;
  /** When the newest of the messages was created, in epoch milliseconds. */
  readonly latest: number;
  readonly children: ComponentChildren;
}

/** A cause of failed messages: their number, the reason, and what follows. */
const Cause = ({ count, link, reason, latest, timeZone, children }: CauseProps) => (
  <li>
    <div>
      <span class="strong">{failuresText(count)}</span>{' '}
      <a class="small" href={link.href} aria-label={`${link.label}: ${reason}`}>
        {link.label}
      </a>
      <p class="reason">{reason}</p>
      <p class="quiet small">{children}</p>
    </div>
    <span class="quiet small nowrap">
      Latest: <LocalTime ms={latest} zone={timeZone} />
    </span>
  </li>
);

const failuresText = (count: number): string =>
  `${countText(count)}${count >= COUNTED_FAILURES ? '+' : ''} ${count === 1 ? 'message' : 'messages'}`;

/** `group`: newest first. */
type FailureGroupProps = Omit<LatestFailuresProps, 'failures' | 'outage'> & { readonly group: readonly Message[] };

function FailureGroup({ group, application, lastSent, timeZone }: FailureGroupProps) {
  const { id, channel, createdAt, ...newest } = group[0]!;
  const sentAt = lastSent.get(channel)?.at ?? 0;
  const isOne = group.length === 1;
  // The list can show one reason of one application. Otherwise, it also shows failures for other reasons.
  const [reason, ...otherReasons] = new Set(group.map(reasonKey));
  const only = otherReasons.length === 0 ? { reason } : { channel };
  const list = urlOf('/messages', { state: visibleState(group[0]!), application, ...only });
  const again = isOne
    ? 'Another message to the same recipient will also fail.'
    : 'New messages to these recipients will also fail.';
  const later = sentAt > createdAt && (
    <>
      Later messages were sent, the latest at <LocalTime ms={sentAt} zone={timeZone} />.
    </>
  );
  return (
    <Cause
      count={group.length}
      link={
        isOne
          ? { href: `/dashboard/messages/${id}`, label: maskRecipient(newest.recipient) }
          : { href: list, label: 'Show messages' }
      }
      reason={problemsOf(group[0]!)}
      latest={createdAt}
      timeZone={timeZone}
    >
      {group.every(hasWrongRecipient) ? again : later || `${notRecoveredText(channel)}.`}
    </Cause>
  );
}

interface LatestFailuresProps extends Failures {
  /** App Key of the application that the failures are of; undefined for all applications. */
  readonly application?: string;
  /** The time zone that the page names. */
  readonly timeZone: string;
  /** An outage, whose failures have one cause. */
  readonly outage?: Outage | undefined;
}

const FAILURES = 'Failures in the last 30 days';

export function LatestFailures({ failures, outage, ...shared }: LatestFailuresProps) {
  const { timeZone } = shared;
  const described = new Set(outage?.failures.map(({ id }) => id));
  const groups = groupBy(
    failures.filter(({ id }) => !described.has(id)),
    problemsOf,
  ).slice(0, SHOWN_GROUPS);
  if (failures.length === 0)
    return <Card id="failures" title={FAILURES} lead="No message has failed in the last 30 days." />;
  return (
    <Card id="failures" title={FAILURES} lead={`${failuresText(failures.length)} failed, for these reasons:`}>
      <ul class="plain-list">
        {outage && (
          <Cause count={outage.failures.length} {...outage} latest={outage.last} timeZone={timeZone}>
            {outage.name} outage, <LocalTime ms={outage.first} until={outage.last} zone={timeZone} /> to{' '}
            <LocalTime ms={outage.last} zone={timeZone} />.
          </Cause>
        )}
        {groups.map((group) => (
          <FailureGroup key={group[0]!.id} group={group} {...shared} />
        ))}
      </ul>
    </Card>
  );
}

/** `Twilio, then Vonage` */
function stateText({ state }: ChannelView) {
  switch (state.kind) {
    case 'own':
      return [state.through.name, ...state.fallbacks].join(', then ');
    case 'waiting':
      return `${state.through.name} sends no messages until it is verified`;
    case 'operator':
      return "through the operator's providers";
    case 'devInbox':
      return 'nothing is sent this way';
    case 'off':
      return 'nothing is sent';
  }
}

const FailingText = ({ state }: { readonly state: ChannelState }) =>
  (state.kind === 'own' || state.kind === 'waiting') && state.state.kind === 'failing' ? (
    <span class="small">
      <ProviderStateText state={state.state} />
    </span>
  ) : null;

/** `queued`: the number of the account's queued messages. */
type HealthProps = { readonly channels: readonly ChannelView[]; readonly queued: number };

function Health({ channels, queued }: HealthProps) {
  const facts = channels.map((view): FactEntry => [
    CHANNEL_NAMES[view.channel],
    <>
      <StateBadge state={view.state} /> <span class="quiet">{stateText(view)}</span> <FailingText state={view.state} />
    </>,
  ]);
  return (
    <Card id="health" title="Channels and queue">
      <Facts facts={[...facts, ['Waiting to be sent', queued === 0 ? 'none' : messagesText(queued)]]} />
    </Card>
  );
}

interface HomeProps extends HealthProps, Failures {
  readonly steps: readonly Step[];
  readonly concerns: readonly Concern[];
  readonly manualPauses: HomeState['manualPauses'];
  readonly outage: Outage | undefined;
  /** Sentences about yesterday; undefined before the first day with messages has ended. */
  readonly yesterday: string | undefined;
  readonly days: HomeState['days'];
  readonly timeZone: string;
  readonly currency: string;
  readonly hasPrice: boolean;
}

export function HomeView({
  steps,
  concerns,
  manualPauses,
  outage,
  yesterday,
  days,
  timeZone,
  failures,
  lastSent,
  currency,
  hasPrice,
  ...health
}: HomeProps) {
  const { channels } = health;
  const isUsed = days.some(({ sum: { sent, failed } }) => sent + failed > 0);
  const checklist = <Checklist steps={steps} isUsed={isUsed} />;
  const isTestMode = !channels.some(hasProvider) && channels.some(({ state }) => state.kind === 'devInbox');
  return (
    <>
      {isTestMode && (
        <Notice kind="warning">
          <strong>Test mode.</strong> No channel is live. Messages go to the <InboxLink /> of this server, and are not
          delivered.
        </Notice>
      )}
      {(isUsed || concerns.length > 0) && (
        <Attention concerns={concerns} manualPauses={manualPauses} timeZone={timeZone} />
      )}
      {!isUsed && checklist}
      <TodayFigures days={days} timeZone={timeZone} currency={currency} hasPrice={hasPrice} />
      <ResolvedConcerns concerns={concerns} timeZone={timeZone} />
      <div class="halves">
        <div class="stack">
          {yesterday && <Card id="yesterday" title="Yesterday" lead={yesterday} />}
          <LatestFailures failures={failures} lastSent={lastSent} outage={outage} timeZone={timeZone} />
        </div>
        <div class="stack">
          <Health {...health} />
          {isUsed && checklist}
        </div>
      </div>
    </>
  );
}
