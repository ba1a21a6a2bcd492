import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { countryName } from '../../modules/recipients/country.js';
import { LIST } from '../../platform/list.js';
import { sendsOn, type ChannelState, type ChannelView, type RouteView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { ProviderStateText } from '../channels/activity-view.js';
import { StateBadge } from '../channels/channels-view.js';
import { Card } from '../components/card.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { InboxLink } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { messagesText } from '../usage/figures.js';
import { hasProvider, type SetupState, type Step } from './checklist.js';
import { Attention } from './concerns-view.js';
import type { HomeState } from './home-state.js';
import { LatestFailures } from './latest-failures.js';
import { TodayFigures } from './today-figures.js';

/** More routes of countries are counted. */
const NAMED_ROUTES = 3;

/** `isUsed`: whether the account sends messages. If so, steps that are done are left out. */
function Checklist({ steps, isUsed }: { readonly steps: readonly Step[]; readonly isUsed: boolean }) {
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  const next = isUsed ? undefined : steps.find((step) => !step.done);
  const shown = isUsed ? steps.filter((step) => !step.done) : steps;
  return (
    <Card
      beside={isUsed}
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

/** `Twilio, then Vonage` */
function stateText({ state }: ChannelView) {
  switch (state.kind) {
    case 'own':
      return inOrder([state.through.name, ...state.fallbacks]);
    case 'waiting':
      return `${state.through.name} sends no messages until it is verified`;
    case 'operator':
      return "through the operator's providers";
    case 'devInbox':
    case 'off':
      return undefined;
  }
}

const inOrder = (providers: readonly string[]): string => providers.join(', then ');

/** The providers of a route that can send: in order, or as a list if they share the messages. */
function sendersOf({ channel }: ChannelView, { mode, entries }: RouteView, providers: readonly ProviderView[]): string {
  const usable = providers.filter(sendsOn(channel));
  const names = entries.flatMap(({ provider }) => usable.find(({ id }) => id === provider)?.name ?? []);
  if (names.length === 0) return 'no provider is on';
  const isShared = mode === 'automatic' || entries.some(({ weight }) => weight !== undefined);
  return isShared ? LIST.format(names) : inOrder(names);
}

/** `Germany: Nordic SMS, then Twilio`; with many countries, `8 countries have their own routes.` */
function CountryRoutes({ view, providers }: { readonly view: ChannelView } & Pick<HealthProps, 'providers'>) {
  const own = view.routes.filter(({ country }) => country !== ANY_COUNTRY);
  const lines =
    own.length > NAMED_ROUTES
      ? [`${own.length} countries have their own routes.`]
      : own.map((route) => `${countryName(route.country)}: ${sendersOf(view, route, providers)}`);
  return lines.map((line) => (
    <p key={line} class="quiet small">
      {line}
    </p>
  ));
}

const FailingText = ({ state }: { readonly state: ChannelState }) =>
  (state.kind === 'own' || state.kind === 'waiting') && state.state.kind === 'failing' ? (
    <span class="small">
      <ProviderStateText state={state.state} />
    </span>
  ) : null;

/** `queued`: the number of the account's queued messages. */
interface HealthProps extends Pick<SetupState, 'channels' | 'providers'> {
  readonly queued: number;
}

function Health({ channels, providers, queued }: HealthProps) {
  const facts = channels.map((view): FactEntry => [
    CHANNEL_NAMES[view.channel],
    <>
      <StateBadge state={view.state} />{' '}
      <div>
        {stateText(view)} <FailingText state={view.state} />
        <CountryRoutes view={view} providers={providers} />
      </div>
    </>,
  ]);
  return (
    <Card id="health" title="Channels and queue">
      <Facts facts={[...facts, ['Queue', queued === 0 ? 'Empty' : messagesText(queued)]]} />
    </Card>
  );
}

interface HomeProps extends HealthProps, Pick<SetupState, 'hasMessage' | 'hasTestMessage'>, Omit<HomeState, 'ended'> {
  readonly steps: readonly Step[];
  /** Sentences about yesterday; undefined before the first day with messages has ended. */
  readonly yesterday: string | undefined;
}

export function HomeView(props: HomeProps) {
  const { steps, yesterday, channels, providers, queued, hasMessage, hasTestMessage, ...state } = props;
  const { concerns, days } = state;
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
      {(isUsed || concerns.length > 0) && <Attention {...state} />}
      {!isUsed && checklist}
      {(isUsed || hasMessage) && <TodayFigures {...state} hasTestMessage={hasTestMessage} />}
      <div class="halves">
        <div class="stack">
          {yesterday && <Card id="yesterday" title="Yesterday" lead={yesterday} />}
          <LatestFailures {...state} />
        </div>
        <Health channels={channels} providers={providers} queued={queued} />
      </div>
      {isUsed && checklist}
    </>
  );
}
