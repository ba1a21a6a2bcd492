import { isSupportedCountry } from 'libphonenumber-js/max';
import { EditConflictError } from '../access/actor.js';
import { parsePrice } from '../../platform/config/prices-file.js';
import { versionOf } from '../../platform/crypto.js';
import { providerIdFor } from '../../providers/provider-id.js';
import type { TestedCredentials, TestedMessage } from '../providers/provider-checks.js';
import { stateText } from '../providers/provider-state.js';
import type { ProviderView } from '../providers/provider-view.js';
import type { createProviders } from '../providers/index.js';
import type { ChannelPricesView } from '../providers/prices-service.js';
import { ANY_COUNTRY, type Route } from '../providers/route.js';
import { SettingError } from '../settings/bounded-setting.js';
import { accountOf, found, isExpected, type Actions, type Caller } from './action.js';

type Providers = Pick<ReturnType<typeof createProviders>, 'service' | 'routes' | 'prices'>;

function viewOf(provider: ProviderView) {
  const { id, type, name, enabled, verified, readOnly, channels, settings, secrets, version } = provider;
  const { callbackUrl, inboundUrl } = provider;
  return {
    id,
    type,
    name,
    enabled,
    verified,
    readOnly,
    state: stateText(provider.state),
    channels: [...channels],
    settings: { ...settings },
    secrets: [...secrets],
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(inboundUrl === undefined ? {} : { inboundUrl }),
    version,
  };
}

function resultOf(tested: TestedCredentials | TestedMessage) {
  if (tested === 'unsupported') return { ok: null };
  if (!tested.ok) return { ok: false, reason: tested.reason };
  return 'providerId' in tested ? { ok: true, providerId: tested.providerId } : { ok: true };
}

function routeView({ channel, country, mode, entries }: Route) {
  const providers = entries.map((entry) => ({ ...entry }));
  return { channel, country, mode, providers, version: versionOf([mode, entries]) };
}

const pricesView = ({ channel, prices, readOnly }: ChannelPricesView) => ({
  channel,
  prices: { ...prices },
  readOnly,
  version: versionOf(prices),
});

export function createProviderActions({ service, routes, prices }: Providers) {
  const idIn = (call: Caller, reference: string) => providerIdFor(accountOf(call), reference);

  async function findProvider(call: Caller, reference: string): Promise<ProviderView | undefined> {
    const id = idIn(call, reference);
    return (await service.list(call.actor, accountOf(call))).find((each) => each.id === id);
  }

  const existing = async (call: Caller, reference: string): Promise<ProviderView> =>
    found(await findProvider(call, reference), `provider ${reference}`);

  return {
    async listProviderTypes(call) {
      const types = (await service.typesFor(accountOf(call))).map(
        ({ name: type, title, description, channels, fields }) => ({
          type,
          title,
          description,
          channels: [...channels],
          fields: fields.map(({ problem: _problem, ...field }) => ({ ...field })),
        }),
      );
      return { types };
    },

    listProviders: async (call) => ({ providers: (await service.list(call.actor, accountOf(call))).map(viewOf) }),

    async createProvider(call, { settings = {}, ...provider }) {
      return viewOf(await service.add(call.actor, accountOf(call), { ...provider, settings }));
    },

    getProvider: async (call, { provider: reference }) => viewOf(await existing(call, reference)),

    async putProvider(call, { provider: reference, settings = {}, type, ...change }) {
      const accountId = accountOf(call);
      const id = idIn(call, reference);
      const find = () => findProvider(call, reference);
      let stored = await find();
      if (!stored) {
        if (call.version !== undefined) throw new EditConflictError();
        const request = { ...change, type, settings, id };
        const added = await service.add(call.actor, accountId, request).catch(async (error: unknown) => {
          stored = await find();
          // A concurrent request has created it.
          if (!stored) throw error;
        });
        if (added) return viewOf(added);
      }
      if (stored!.type !== type) throw new SettingError('type', `The type of this provider is ${stored!.type}.`);
      const request = { ...change, settings, version: call.version };
      return viewOf(await service.change(call.actor, accountId, id, request));
    },

    async updateProvider(call, { provider: reference, ...change }) {
      const { id } = await existing(call, reference);
      return viewOf(await service.change(call.actor, accountOf(call), id, { ...change, version: call.version }));
    },

    async deleteProvider(call, { provider: reference }) {
      const { id } = await existing(call, reference);
      await service.remove(call.actor, accountOf(call), id);
      return { id };
    },

    async testProvider(call, { provider: reference, to, channel }) {
      const { actor } = call;
      const { id } = await existing(call, reference);
      if (to === undefined || channel === undefined)
        return { credentials: resultOf(await service.check(actor, accountOf(call), id)) };
      const { credentials, message } = await service.sendTest(actor, accountOf(call), id, { channel, to });
      return { credentials: resultOf(credentials), message: resultOf(message) };
    },

    listRoutes: async (call) => ({ routes: (await routes.list(call.actor, accountOf(call))).map(routeView) }),

    async putRoute(call, { channel, country, mode = 'ordered', providers }) {
      const accountId = accountOf(call);
      const entries = providers.map(({ provider, ...entry }) => ({ ...entry, provider: idIn(call, provider) }));
      const route = { accountId, channel, country, mode, entries };
      const isBasedOn = (stored: Route) => isExpected(call, routeView(stored).version);
      const before = (await routes.list(call.actor, accountId)).find(
        (each) => each.channel === channel && each.country === country,
      );
      const isChanged = before === undefined || routeView(before).version !== routeView(route).version;
      if (isChanged) await routes.set(call.actor, route, isBasedOn);
      return routeView(route);
    },

    async deleteRoute(call, { channel, country }) {
      const isRemoved = await routes.remove(call.actor, accountOf(call), channel, country);
      found(isRemoved, `route for ${channel} ${country}`);
      return { channel, country };
    },

    async listPrices(call) {
      const { currency, channels } = await prices.list(call.actor, accountOf(call));
      return { currency, channels: channels.map(pricesView) };
    },

    async putPrices(call, { channel, prices: typed }) {
      const parsed = Object.entries(typed).map(([country, text]) => {
        const price = parsePrice(text);
        if (price === undefined || (country !== ANY_COUNTRY && !isSupportedCountry(country)))
          throw new SettingError('prices', 'Use ISO codes for countries, and numbers such as 0.0042 for prices.');
        return [country, price];
      });
      const update = { accountId: accountOf(call), channel, prices: Object.fromEntries(parsed), replace: true };
      const isBasedOn = (stored: Readonly<Record<string, string>>) => isExpected(call, versionOf(stored));
      return pricesView({ channel, prices: await prices.set(call.actor, update, isBasedOn), readOnly: false });
    },
  } satisfies Partial<Actions>;
}
