/** Adds providers and routes to a running service. Twilio accounts and HTTP gateways use recording servers. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../../backend/src/modules/applications/application.js';
import { ROUTING_POLL_MS } from '../../backend/src/modules/providers/routing.js';
import type { RouteEntry } from '../../backend/src/modules/providers/route.js';
import type { ProviderView } from '../../backend/src/modules/providers/provider-view.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import type { ProviderSettings } from '../../backend/src/providers/provider-type.js';
import type { GatewayServer } from './gateway-server.js';
import type { TestService } from './service.js';
import type { TwilioServer } from './twilio-server.js';
import { advancing, advancingWhileStuck, until } from './wait.js';

/** A credentials check that succeeds without a request, so that a new provider sends messages at once. */
export const VERIFIED = async () => ({ ok: true }) as const;

/** Returns the id of an account. Creates the account if it does not exist. */
export const accountOf = ({ core }: TestService, email = OPERATOR_ACCOUNT): Promise<number> =>
  core.applications.service.createAccount(OPERATOR, email);

/** Returns the provider settings for a Twilio account on a recording server. */
export const twilioSettings = ({ accountSid, authToken, url }: TwilioServer, more: object = {}) => ({
  accountSid,
  authToken,
  apiUrl: url,
  smsFrom: '+14155550100',
  ...more,
});

/** Adds a Twilio account as one of the operator's providers. */
export async function addTwilio(
  passbell: TestService,
  name: string,
  server: TwilioServer,
  more: object = {},
): Promise<ProviderView> {
  const request = { type: 'twilio', name, settings: twilioSettings(server, more) };
  return passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
}

/** Returns the provider settings for an HTTP gateway on a recording server. */
export const gatewaySettings = (
  { url }: Pick<GatewayServer, 'url'>,
  more: ProviderSettings = {},
): ProviderSettings => ({
  url: `${url}/send`,
  body: '{"to": "{{ to }}", "text": "{{ text }}"}',
  messageIdPath: 'id',
  ...more,
});

/** Adds an HTTP gateway as one of the operator's providers. */
export async function addGateway(
  passbell: TestService,
  name: string,
  server: Pick<GatewayServer, 'url'>,
  more: ProviderSettings = {},
): Promise<ProviderView> {
  const request = { type: 'http-gateway', name, settings: gatewaySettings(server, more) };
  return passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
}

/** Sets one of the operator's routes. */
export async function setRoute(
  passbell: TestService,
  channel: ChannelName,
  country: string,
  ...providers: readonly (string | { readonly provider: string; readonly weight: number })[]
): Promise<void> {
  const entries = providers.map((entry) => (typeof entry === 'string' ? { provider: entry } : entry));
  const accountId = await accountOf(passbell);
  await passbell.core.providers.routes.set(OPERATOR, { accountId, channel, country, mode: 'ordered', entries });
}

/** Sets one of the operator's routes, which then chooses the best provider automatically. */
export async function setAutomaticRoute(
  passbell: TestService,
  channel: ChannelName,
  country: string,
  ...entries: readonly RouteEntry[]
): Promise<void> {
  const accountId = await accountOf(passbell);
  await passbell.core.providers.routes.set(OPERATOR, { accountId, channel, country, mode: 'automatic', entries });
}

/** The first poll may have started before the change. */
const TWO_POLLS_MS = 2 * ROUTING_POLL_MS;

/**
 * Waits until every process has loaded the newest providers and routes. After the time of two polls, the clock advances
 * only if the wait is stuck: on a busy machine, it would otherwise advance by seconds during a single query. Fails after
 * the time of four polls.
 */
export async function waitForRoutingUpdate({ cores, clock, openDatabase }: TestService): Promise<void> {
  const db = openDatabase();
  const { version } = await db('routing_versions').first();
  await db.destroy();
  const end = clock.now() + TWO_POLLS_MS;
  const isCurrent = () => cores.every(({ providers }) => providers.routing.version() === Number(version));
  const advance = advancing(clock, 100);
  const advanceWhileStuck = advancingWhileStuck(clock);
  const step = () => (clock.now() < end ? advance() : advanceWhileStuck());
  await until('the new routes in all processes', isCurrent, step);
  if (clock.now() > end + TWO_POLLS_MS) throw new Error('a process did not load the new routing in four polls');
}
