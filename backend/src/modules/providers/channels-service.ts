/** The channels of an account, with their states and routes. */
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Provider } from '../../providers/provider.js';
import type { Actor } from '../access/actor.js';
import { firstProvider, routesOf, type ChannelState, type ChannelView } from './channel-view.js';
import { possibleChannels } from './provider-account.js';
import type { ProviderHealth } from './provider-health.js';
import type { ProviderView } from './provider-view.js';
import type { ProvidersService } from './providers-service.js';
import type { RoutesService } from './routes-service.js';

export type ChannelsService = ReturnType<typeof createChannelsService>;

/** Whether the provider sends on the channel, or would if it could be opened. */
const mayConcern = ({ type, channels }: ProviderView, channel: ChannelName): boolean =>
  (channels.length > 0 ? channels : possibleChannels(type)).includes(channel);

export function createChannelsService(
  providers: Pick<ProvidersService, 'list'>,
  routes: Pick<RoutesService, 'list'>,
  health: Pick<ProviderHealth, 'failureOf'>,
  operatorProviders: ReadonlyMap<ChannelName, Provider>,
  hasDevInbox: boolean,
  isOperatorAccount: (accountId: number) => Promise<boolean>,
) {
  function withoutProvider(channel: ChannelName, isOperators: boolean, own: readonly ProviderView[]): ChannelState {
    if (isOperators) return { kind: hasDevInbox ? 'devInbox' : 'off' };
    if (own.some((provider) => mayConcern(provider, channel))) return { kind: 'unusable' };
    const provider = operatorProviders.get(channel);
    return { kind: provider?.standIn ? 'devInbox' : provider ? 'operator' : 'off' };
  }

  /** Returns an account's providers and channels. */
  async function list(
    actor: Actor,
    accountId: number,
  ): Promise<{ readonly providers: readonly ProviderView[]; readonly channels: readonly ChannelView[] }> {
    const [all, stored] = [await providers.list(actor, accountId), await routes.list(actor, accountId)];
    const isOperators = await isOperatorAccount(accountId);
    const views = CHANNELS.map((channel): ChannelView => {
      const shown = routesOf(channel, all, stored);
      const through = firstProvider(shown, channel, all);
      const state: ChannelState = through
        ? { kind: 'live', through, failure: health.failureOf(through.id, channel) }
        : withoutProvider(channel, isOperators, all);
      return { channel, state, routes: shown };
    });
    return { providers: all, channels: views };
  }

  return { list };
}
