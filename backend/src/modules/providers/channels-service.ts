/** Lists an account's channels, with their states and routes. */
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Provider } from '../../providers/provider.js';
import type { Actor } from '../access/actor.js';
import { firstProvider, routesOf, type ChannelState, type ChannelView } from './channel-view.js';
import type { ProviderHealth } from './provider-health.js';
import type { ProviderView } from './provider-view.js';
import type { ProvidersService } from './providers-service.js';
import type { RoutesService } from './routes-service.js';

export type ChannelsService = ReturnType<typeof createChannelsService>;

export function createChannelsService(
  providers: Pick<ProvidersService, 'list'>,
  routes: Pick<RoutesService, 'list'>,
  health: Pick<ProviderHealth, 'failureOf'>,
  /** The operator's providers, including the dev inbox. */
  operators: ReadonlyMap<ChannelName, Provider>,
  hasDevInbox: boolean,
  isOperatorAccount: (accountId: number) => Promise<boolean>,
) {
  function withoutProvider(channel: ChannelName, isOperators: boolean): ChannelState {
    if (isOperators) return { kind: hasDevInbox ? 'devInbox' : 'off' };
    const provider = operators.get(channel);
    return { kind: provider?.standIn ? 'devInbox' : provider ? 'operator' : 'off' };
  }

  /** Returns an account's providers and channels. */
  return async function channels(
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
        : withoutProvider(channel, isOperators);
      return { channel, state, routes: shown };
    });
    return { providers: all, channels: views };
  };
}
