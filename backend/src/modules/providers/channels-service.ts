/** The channels of an account, with their states and routes. */
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { OPERATOR, type Actor } from '../access/actor.js';
import { providersInOrder, routesOf, type ChannelState, type ChannelView, type RouteView } from './channel-view.js';
import { possibleChannels } from './provider-account.js';
import type { ProviderView } from './provider-view.js';
import type { ProvidersService } from './providers-service.js';
import type { RoutesService } from './routes-service.js';
import type { Routing } from './routing.js';

/** Whether the provider sends on the channel, or would if it could be opened. */
const mayConcern = ({ type, channels }: ProviderView, channel: ChannelName): boolean =>
  (channels.length > 0 ? channels : possibleChannels(type)).includes(channel);

export function createChannelsService(
  providers: Pick<ProvidersService, 'list'>,
  routes: Pick<RoutesService, 'list'>,
  { operatorProviders, entryScores }: Pick<Routing, 'operatorProviders' | 'entryScores'>,
  hasDevInbox: boolean,
  operatorAccount: () => Promise<number | undefined>,
) {
  async function read(actor: Actor, accountId: number) {
    return { providers: await providers.list(actor, accountId), routes: await routes.list(actor, accountId) };
  }
  type Setup = Awaited<ReturnType<typeof read>>;

  /** Returns the state of a channel on which none of the account's own providers sends messages. */
  function withoutOwn(channel: ChannelName, own: Setup, operators: Setup | undefined): ChannelState {
    const waiting = own.providers.find(({ enabled, channels }) => enabled && channels.includes(channel));
    if (waiting) {
      const inDevInbox = !operators && hasDevInbox;
      return { kind: 'waiting', through: waiting, state: waiting.states[channel]!, inDevInbox };
    }
    if (!operators) return { kind: hasDevInbox ? 'devInbox' : 'off' };
    if (own.providers.some((provider) => mayConcern(provider, channel))) return { kind: 'unusable' };
    const [through] = providersInOrder(
      routesOf(channel, operators.providers, operators.routes),
      channel,
      operators.providers,
    );
    if (through) return { kind: 'operator', state: { kind: through.states[channel]!.kind } };
    return { kind: operatorProviders.get(channel)?.standIn ? 'devInbox' : 'off' };
  }

  /** Adds the scores of an automatic route, whose best provider comes first. */
  function withScores(accountId: number, channel: ChannelName, route: RouteView): RouteView {
    if (route.mode === 'ordered') return route;
    const scores = entryScores({ accountId, channel, ...route });
    const ranked = route.entries
      .map((entry, n) => ({ entry, score: scores[n]! }))
      .sort((a, b) => b.score.share - a.score.share);
    return { ...route, entries: ranked.map(({ entry }) => entry), scores: ranked.map(({ score }) => score) };
  }

  async function list(
    actor: Actor,
    accountId: number,
  ): Promise<{ readonly providers: readonly ProviderView[]; readonly channels: readonly ChannelView[] }> {
    const own = await read(actor, accountId);
    const operatorId = await operatorAccount();
    const isOperators = accountId === operatorId;
    const operators = isOperators || operatorId === undefined ? undefined : await read(OPERATOR, operatorId);
    const views = CHANNELS.map((channel): ChannelView => {
      const shown = routesOf(channel, own.providers, own.routes).map((route) => withScores(accountId, channel, route));
      const [through, ...others] = providersInOrder(shown, channel, own.providers);
      const state: ChannelState = through
        ? { kind: 'own', through, state: through.states[channel]!, fallbacks: others.map(({ name }) => name) }
        : withoutOwn(channel, own, operators);
      return { channel, state, routes: shown };
    });
    return { providers: own.providers, channels: views };
  }

  return { list };
}
