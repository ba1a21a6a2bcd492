import type { Message } from '../../modules/messages/message.js';
import type { ChannelState, ChannelView } from '../../modules/providers/channel-view.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { ProviderStateText, StateBadge } from '../channels/channels-view.js';
import { Card } from '../components/card.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { InboxLink } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import { Time } from '../components/time.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { problemsOf } from '../messages/message-list.js';
import { conversionRate, costText, countText, deliveryRate, mainCost, percent, type Sum } from '../usage/figures.js';
import type { Concern } from './attention.js';
import { hasProvider, type Step } from './checklist.js';

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
      lead={`${done} of ${steps.length} steps are done.`}
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

/** `Since 15 Jan 2027, 09:22 · last seen 15 Jan 2027, 09:48` */
function ConcernTimes({ since, lastAt }: Concern) {
  if (since === undefined && lastAt === undefined) return null;
  return (
    <p class="quiet small">
      {since !== undefined && (
        <>
          Since <Time ms={since} />
        </>
      )}
      {since !== undefined && lastAt !== undefined && ' · '}
      {lastAt !== undefined && (
        <>
          {since === undefined ? 'Last seen' : 'last seen'} <Time ms={lastAt} />
        </>
      )}
    </p>
  );
}

function Attention({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0) return null;
  return (
    <Card id="attention" title="Needs attention" class="card attention">
      <ul class="plain-list">
        {concerns.map((concern) => {
          const { title, text, link } = concern;
          return (
            <li key={title}>
              <div>
                <p class="strong">{title}</p>
                <p class="small">{text}</p>
                <ConcernTimes {...concern} />
              </div>
              <a class="button subtle small" href={link.href} aria-label={`${link.label}: ${title}`}>
                {link.label}
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** One bar for each day. Screen readers get the same numbers on the Usage page. */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const top = Math.max(...values, 1e-9);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length * 4} 24`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {values.map((value, day) => {
        const height = Math.max(1, (24 * value) / top);
        const tint = day === values.length - 1 ? 'tint-a' : 'tint-plain';
        return <rect key={day} class={tint} x={day * 4} y={24 - height} width={3} height={height} />;
      })}
    </svg>
  );
}

/** `today`: when the day started, in epoch milliseconds. */
function Figures({ days, today, currency }: Pick<HomeProps, 'days' | 'today' | 'currency'>) {
  const sum = days.at(-1)!;
  const [main] = mainCost(sum, currency);
  const costOf = ({ costs }: Sum) => Number(costs.find(([own]) => own === main)?.[1] ?? 0n);
  const figures = [
    ['Sent', countText(sum.sent), '/dashboard/messages', ({ sent }: Sum) => sent],
    ['Delivered', percent(deliveryRate(sum)), '/dashboard/messages?state=undelivered', deliveryRate],
    ['Codes verified', percent(conversionRate(sum)), '/dashboard/usage?days=7', conversionRate],
    ['Failed', countText(sum.failed), '#failures', ({ failed }: Sum) => failed],
    ['Cost', costText(sum, currency), '/dashboard/usage?days=7', costOf],
  ] as const;
  return (
    <section aria-labelledby="today" class="stack">
      <div>
        <h2 id="today">Today</h2>
        <p class="lead">
          Since <Time ms={today} /> (midnight UTC). The bars show the last {days.length} days. Messages in the dev inbox
          do not count.
        </p>
      </div>
      <dl class="figures today">
        {figures.map(([name, value, href, valueOf]) => (
          <div key={name} class="card">
            <dt>
              <a href={href}>{name}</a>
            </dt>
            <dd>
              {value}
              <Sparkline values={days.map((day) => valueOf(day) ?? 0)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function LatestFailures({ failures }: { readonly failures: readonly Message[] }) {
  return (
    <Card id="failures" title="Latest failures">
      {failures.length === 0 ? (
        <p class="quiet">No message has failed in the last 30 days.</p>
      ) : (
        <ul class="plain-list">
          {failures.map((message) => (
            <li key={message.id}>
              <div>
                <a class="strong" href={`/dashboard/messages/${message.id}`}>
                  {maskRecipient(message.recipient)}
                </a>{' '}
                <span class="quiet small">{problemsOf(message)}</span>
              </div>
              <span class="quiet small nowrap">
                <Time ms={message.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function stateText({ state }: ChannelView) {
  switch (state.kind) {
    case 'own':
      return `through ${state.through.name}`;
    case 'waiting':
      return `${state.through.name} sends no messages until it is verified`;
    case 'operator':
      return "through the operator's providers";
    case 'devInbox':
      return 'not delivered to recipients';
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
  const waiting = queued === 1 ? '1 message is waiting' : `${countText(queued)} messages are waiting`;
  return (
    <Card id="health" title="Channels and queue">
      <Facts facts={[...facts, ['Queue', queued === 0 ? 'empty' : waiting]]} />
    </Card>
  );
}

interface HomeProps extends HealthProps {
  readonly steps: readonly Step[];
  readonly concerns: readonly Concern[];
  /** The last days, today last. */
  readonly days: readonly Sum[];
  /** When today started, in epoch milliseconds. */
  readonly today: number;
  readonly failures: readonly Message[];
  readonly currency: string;
}

export function HomeView({ steps, concerns, days, today, failures, currency, ...health }: HomeProps) {
  const { channels } = health;
  const isUsed = days.some(({ sent, failed }) => sent + failed > 0);
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
      <Attention concerns={concerns} />
      {!isUsed && checklist}
      <Figures days={days} today={today} currency={currency} />
      <div class="halves">
        <LatestFailures failures={failures} />
        <Health {...health} />
      </div>
      {isUsed && checklist}
    </>
  );
}
