import type { Application } from '../../modules/applications/application.js';
import type { ChannelState, ChannelView } from '../../modules/providers/channel-view.js';
import type { FraudNews } from '../../modules/fraud/fraud-overview.js';
import { pathOf } from '../applications/parts.js';
import { protectionPath } from '../protection/protection-pages.js';
import { ProviderStateText, StateBadge } from '../channels/channels-view.js';
import { Card } from '../components/card.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { conversionRate, costText, countText, deliveryRate, percent, type Sum } from '../usage/figures.js';
import { hasProvider, type Step } from './checklist.js';

function Checklist({ steps }: { readonly steps: readonly Step[] }) {
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  const next = steps.find((step) => !step.done);
  return (
    <Card id="setup" title="Get started" lead={`${done} of ${steps.length} steps are done.`}>
      <ol class="checklist">
        {steps.map((step) => (
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

function Today({ sum, currency }: { readonly sum: Sum; readonly currency: string }) {
  const figures = [
    ['Sent', countText(sum.sent), '/dashboard/messages'],
    ['Delivered', percent(deliveryRate(sum)), '/dashboard/messages?state=undelivered'],
    ['Codes verified', percent(conversionRate(sum)), '/dashboard/usage?days=7'],
    ['Failed', countText(sum.failed), '/dashboard/messages?state=failed'],
    ['Cost', costText(sum, currency), '/dashboard/usage?days=7'],
  ] as const;
  return (
    <section aria-labelledby="today" class="stack">
      <div>
        <h2 id="today">Today</h2>
        <p class="lead">Since midnight UTC. Messages in the dev inbox do not count.</p>
      </div>
      <dl class="figures today">
        {figures.map(([name, value, href]) => (
          <div key={name} class="card">
            <dt>
              <a href={href}>{name}</a>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
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

function Links({ application }: { readonly application: Application | undefined }) {
  const links = [
    ...(application
      ? [
          [pathOf(application), application.name, 'API credentials and settings'],
          [`${pathOf(application)}/connect`, 'Connect', 'Code and steps with your values filled in'],
          [`${pathOf(application)}/templates`, 'Templates', 'The texts of your messages'],
          [`${pathOf(application)}/webhooks`, 'Webhooks', 'Events for your server, such as failed messages'],
        ]
      : []),
    ['/docs', 'Documentation', 'Guides and the API reference'],
    ['/docs/errors', 'Error codes', 'What each code means, and what to do'],
  ] as const;
  return (
    <Card id="links" title="Links">
      <ul class="plain-list">
        {links.map(([href, label, text]) => (
          <li key={href}>
            <span>
              <a href={href}>{label}</a> <span class="quiet small">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface HomeProps extends HealthProps {
  readonly steps: readonly Step[];
  readonly news: Awaited<ReturnType<FraudNews>>;
  readonly today: Sum;
  readonly currency: string;
  readonly application: Application | undefined;
}

export function HomeView({ steps, news, today, currency, application, ...health }: HomeProps) {
  const { channels } = health;
  const isTestMode = !channels.some(hasProvider) && channels.some(({ state }) => state.kind === 'devInbox');
  return (
    <>
      {isTestMode && (
        <Notice kind="warning">
          <strong>Test mode.</strong> No channel is live. Messages go to the dev inbox of this server, and are not
          delivered.
        </Notice>
      )}
      {news.map(({ application: one, text }) => (
        <Notice key={one.appKey} kind="warning">
          <strong>{one.name}:</strong> {text} <a href={protectionPath(one)}>Open Protection</a>
        </Notice>
      ))}
      <Checklist steps={steps} />
      <Today sum={today} currency={currency} />
      <div class="halves">
        <Health {...health} />
        <Links application={application} />
      </div>
    </>
  );
}
