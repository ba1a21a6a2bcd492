/** Providers, routes and prices: which vendor sends each channel's messages, and what they cost. */
import { DAY } from '../../platform/clock.js';
import { publicCallbackBase, type Config } from '../../platform/config/config.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { AddressRules } from '../../platform/http/checked-address.js';
import { environmentProviders } from '../../providers/environment.js';
import type { Provider } from '../../providers/provider.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { OPERATOR_ACCOUNT } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import { createChangeRouting } from './change-routing.js';
import { createChannelsService } from './channels-service.js';
import { createLivePrices } from './live-prices.js';
import { createLiveProviders } from './live-providers.js';
import { createPricesService } from './prices-service.js';
import { createProviderHealth } from './provider-health.js';
import { createProvidersService } from './providers-service.js';
import { createProviderScores } from './provider-scores.js';
import { createProvidersStore } from './providers-store.js';
import { createSenderCountries } from './sender-countries.js';
import { createRoutesService } from './routes-service.js';
import { createRouting } from './routing.js';

/** How long scores are kept without new outcomes. By then, they have faded. */
const SCORE_RETENTION_DAYS = 90;
/** How long delivery reports can refer to a message by the vendor's id. */
const MESSAGE_ID_RETENTION_DAYS = 3;

interface Dependencies extends Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'log'> {
  readonly config: Config;
  readonly applications: Pick<ApplicationsService, 'accountId'>;
  /** Used for channels without a provider; undefined in production. */
  readonly devInbox: { provider(channel: ChannelName): Provider } | undefined;
  readonly gatewayAddresses?: AddressRules | undefined;
}

/** Creates the module. Call `routing.load` before messages are sent. */
export function createProviders(dependencies: Dependencies) {
  const { config, db, inTransaction, bus, keyring, clock, log, applications, audit, devInbox } = dependencies;
  const parts = {
    log,
    clock,
    keyring,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
    voiceLanguage: config.VOICE_LANGUAGE,
    voiceKeyPress: config.VOICE_KEY_PRESS,
    addresses: dependencies.gatewayAddresses,
  };
  const environment = environmentProviders(config, parts);
  const store = createProvidersStore(db);
  const changeRouting = createChangeRouting(store, inTransaction, bus);
  const health = createProviderHealth({ store, changeRouting, inTransaction, keyring, clock, log });
  const scores = createProviderScores(db, inTransaction, clock);
  const live = createLiveProviders({ parts, callbackBase: publicCallbackBase(config), keyring, clock, log, health });
  const file = config.PRICES_FILE;
  const prices = createLivePrices(file);
  const senders = createSenderCountries(environment.map(({ settings }) => settings));
  const operatorAccount = () => applications.accountId(OPERATOR_ACCOUNT);
  const shared = { ...dependencies, store, changeRouting, environment, live, health, operatorAccount };
  const routing = createRouting({ ...shared, prices, senders, scores });
  const service = createProvidersService(shared);
  const routes = createRoutesService(store, service, changeRouting, audit);
  const hasDevInbox = devInbox !== undefined;
  return {
    service,
    routing,
    routes,
    channels: createChannelsService(service, routes, routing, hasDevInbox, operatorAccount),
    prices: createPricesService({ store, providers: service, changeRouting, file, audit }),
    findMessageId: store.findMessageId,
    maintenance: [
      () => store.deleteMessageIdsBefore(clock.now() - MESSAGE_ID_RETENTION_DAYS * DAY),
      () => scores.cleanUp(clock.now() - SCORE_RETENTION_DAYS * DAY),
    ],
  };
}
