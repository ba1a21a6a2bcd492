/** Lists, sets and removes routes. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../platform/contract/channels.js';
import { EditConflictError, requireRight, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ChangeRouting } from './change-routing.js';
import { ProviderSettingsError } from './provider-account.js';
import type { ProvidersStore } from './providers-store.js';
import { routeProblem, type Route, type RouteEntry } from './route.js';
import type { ProvidersService } from './providers-service.js';

/** Whether the stored route is the one that the change is based on. `entries` is empty if no route is stored. */
type IsExpected = (stored: Route) => boolean;

export type RoutesService = ReturnType<typeof createRoutesService>;

export const entryText = ({ provider, weight, price }: RouteEntry): string =>
  [provider, weight ?? price].filter((part) => part !== undefined).join('=');

const auditable = ({ mode, entries }: Pick<Route, 'mode' | 'entries'>) => ({
  mode,
  providers: entries.map(entryText).join(', '),
});

export function createRoutesService(
  store: ProvidersStore,
  providers: Pick<ProvidersService, 'list'>,
  changeRouting: ChangeRouting,
  audit: AuditService,
) {
  async function record(trx: Knex, actor: Actor, before: Route, after: Pick<Route, 'mode' | 'entries'>): Promise<void> {
    const changes = changesBetween(auditable(before), auditable(after));
    const subject = `${before.channel} ${before.country}`;
    await audit.record(trx, actor, { accountId: before.accountId, action: 'route.change', subject, changes });
  }

  async function stored(trx: Knex, { accountId, channel, country }: Omit<Route, 'entries' | 'mode'>): Promise<Route> {
    const routes = await store.routes(accountId, trx);
    const found = routes.find((route) => route.channel === channel && route.country === country);
    return found ?? { accountId, channel, country, mode: 'ordered', entries: [] };
  }

  async function list(actor: Actor, accountId: number): Promise<Route[]> {
    requireRight(actor, 'read');
    return store.routes(accountId);
  }

  /**
   * Sets a channel's route for a country. It applies to new messages, and to further attempts of pending messages.
   * Throws an {@link EditConflictError} unless the stored route is as expected.
   */
  async function set(actor: Actor, route: Route, isExpected: IsExpected = () => true): Promise<void> {
    requireRight(actor, 'own');
    const known = await providers.list(actor, route.accountId);
    const problem = routeProblem(route);
    if (problem !== undefined) throw new ProviderSettingsError(problem);
    for (const { provider: id } of route.entries) {
      const provider = known.find((candidate) => candidate.id === id);
      if (!provider) throw new ProviderSettingsError(`there is no provider ${id}`);
      if (!provider.channels.includes(route.channel))
        throw new ProviderSettingsError(`${provider.name} does not support ${route.channel}`);
    }
    await changeRouting(async (trx) => {
      const before = await stored(trx, route);
      if (!isExpected(before)) throw new EditConflictError();
      await store.removeRoute(trx, route);
      await store.insertRoute(trx, route);
      await record(trx, actor, before, route);
    });
  }

  /** Removes a route. Returns false if it does not exist. */
  async function remove(actor: Actor, accountId: number, channel: ChannelName, country: string): Promise<boolean> {
    requireRight(actor, 'own');
    return changeRouting(async (trx) => {
      const before = await stored(trx, { accountId, channel, country });
      if (!(await store.removeRoute(trx, before))) return false;
      await record(trx, actor, before, { mode: 'ordered', entries: [] });
      return true;
    });
  }

  return { list, set, remove };
}
