/** The checklist of an account's first steps. Stored data determines which steps are done. */
import type { Application } from '../../modules/applications/application.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { pathOf, settingsPath } from '../applications/parts.js';
import { channelList, pricesPath } from '../channels/labels.js';
import { TEST_ID } from '../connect/test-code.js';

export interface SetupState {
  readonly applications: readonly Application[];
  readonly channels: readonly ChannelView[];
  readonly providers: readonly ProviderView[];
  /** Whether the account may have its own providers. */
  readonly mayHaveProviders: boolean;
  readonly hasSentCode: boolean;
  /** Whether SMS have prices. */
  readonly hasPrices: boolean;
  /** Whether an application has requested a message in the last days. */
  readonly hasMessage: boolean;
  /** Whether the latest message was sent to the dev inbox. */
  readonly hasTestMessage: boolean;
  readonly isProtected: boolean;
  readonly hasColleague: boolean;
  /** Whether a shop is connected to an application. */
  readonly hasShop: boolean;
  /** When the person joined the account, in epoch milliseconds. */
  readonly joinedAt: number;
  readonly isOwner: boolean;
}

export interface Step {
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
  /** Whether the step is about the person, not about the account. */
  readonly isPersonal?: boolean;
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

/** Whether a provider sends the channel's messages. */
export const hasProvider = ({ state }: ChannelView): boolean => state.kind === 'own' || state.kind === 'operator';

const isLive = ({ state }: ChannelView): boolean => 'state' in state && state.state.kind === 'live';

function channelStep({ channels, mayHaveProviders, isOwner }: SetupState): Step {
  const connected = channels.filter(hasProvider);
  const live = connected.filter(isLive).map(({ channel }) => channel);
  const notLive = connected.filter((view) => !isLive(view)).map(({ channel }) => channel);
  const liveText = live.length > 0 ? `Live: ${channelList(live)}.` : '';
  const notLiveText = notLive.length > 0 ? `Not verified or failing: ${channelList(notLive)}.` : '';
  const hasInbox = channels.some(({ state }) => state.kind === 'devInbox');
  const link = { href: '/dashboard/channels/add', label: 'Add a provider' };
  const until = hasInbox ? 'Until then, messages only reach the dev inbox.' : 'Until then, nothing can be sent.';
  const who = mayHaveProviders
    ? 'Add an SMS provider or a mail server.'
    : 'The operator of this server sets up the channels.';
  return {
    title: 'Connect a channel',
    text: connected.length > 0 ? `${liveText} ${notLiveText}`.trim() : `${who} ${until}`,
    done: connected.length > 0,
    link: mayHaveProviders && isOwner ? link : undefined,
  };
}

function codeStep({ channels, hasSentCode, hasTestMessage }: SetupState, connectPath: string | undefined): Step {
  const isConnected = channels.some(hasProvider);
  const hasInbox = channels.some(({ state }) => state.kind === 'devInbox');
  const first = isConnected ? 'Send a code' : 'Connect a channel first, then send a code';
  const text = `${hasTestMessage ? 'Messages in the dev inbox, a test inbox, do not count. ' : ''}${first} to your own phone or mailbox.${isConnected || !hasInbox ? '' : ' Until then, a test code arrives in the dev inbox.'}`;
  const label = isConnected ? 'Send a code' : 'Send a test code';
  return {
    title: 'Send a real code',
    text: hasSentCode ? 'The Messages page lists the messages of the last 30 days.' : text,
    done: hasSentCode,
    link: connectPath && (isConnected || hasInbox) ? { href: `${connectPath}#${TEST_ID}`, label } : undefined,
  };
}

/** Only the operator sets prices of the operator's providers. */
function protectionStep(state: SetupState): Step {
  const { applications, mayHaveProviders, isOwner } = state;
  const [application] = applications;
  const hasCountries = applications.some(
    ({ settings: { countries, servedCountries } }) => countries.length + servedCountries.length > 0,
  );
  const hasPrices = state.hasPrices || !mayHaveProviders;
  const countries = application && { href: settingsPath(application, 'countries'), label: 'Choose countries' };
  const prices = { href: pricesPath('SMS'), label: 'Set prices' };
  const missing = [
    !hasCountries && (['countries', 'Protection allows more messages to countries that you serve.'] as const),
    !hasPrices && (['prices', 'Passbell uses prices to calculate costs and to apply the daily budget.'] as const),
  ].filter((one) => one !== false);
  return {
    title: `Enter your ${missing.map(([name]) => name).join(' and ') || 'countries and prices'}`,
    text:
      missing.map(([, text]) => text).join(' ') ||
      'Protection uses your countries, and the daily budget uses your prices.',
    done: missing.length === 0,
    link: isOwner ? (hasCountries ? prices : countries) : undefined,
  };
}

function applicationStep({ applications: [application], joinedAt, isOwner }: SetupState): Step {
  const name = application ? `“${application.name}”` : 'An application';
  const created = application && application.createdAt <= joinedAt ? `${name} was created for you. It` : name;
  return {
    title: 'Create an application',
    text: `${created} has its own API credentials, limits and texts.`,
    done: application !== undefined,
    link: isOwner ? { href: '/dashboard/applications/new', label: 'New application' } : undefined,
  };
}

/** Returns the steps in the order in which most people take them. Owners see an additional step. */
export function stepsOf(state: SetupState): readonly Step[] {
  const { applications, isOwner, isProtected, hasColleague } = state;
  const [application] = applications;
  const isConnected = state.hasShop || applications.some(({ lastUsedAt }) => lastUsedAt !== null);
  const connectPath = application && `${pathOf(application)}/connect`;
  return [
    applicationStep(state),
    channelStep(state),
    protectionStep(state),
    codeStep(state, connectPath),
    {
      title: 'Connect your shop or server',
      text: isConnected
        ? 'Your shop or server is connected.'
        : 'The Connect page has the steps for Shopify, WooCommerce, Zapier, n8n and your own server.',
      done: isConnected,
      link: connectPath ? { href: `${connectPath}#steps-title`, label: 'Show the steps' } : undefined,
    },
    {
      title: 'Turn on two-factor authentication',
      text: isProtected ? 'Your sign-in is protected.' : 'Use an authenticator app or a passkey.',
      done: isProtected,
      isPersonal: true,
      link: { href: '/dashboard/account', label: 'Turn on' },
    },
    ...(isOwner
      ? [
          {
            title: 'Invite a colleague',
            text: 'A colleague can help while you are away.',
            done: hasColleague,
            link: { href: '/dashboard/people/invite', label: 'Invite' },
          },
        ]
      : []),
  ];
}
