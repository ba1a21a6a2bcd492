/** The core: the platform and all modules, without the HTTP server. The server and the operator command use it. */
import { createApplications } from './modules/applications/index.js';
import { createAutomations } from './modules/automations/index.js';
import { createAuditService } from './modules/audit/audit-service.js';
import { createDevInbox, type DevInbox } from './modules/dev-inbox/dev-inbox.js';
import { createEndUsersService } from './modules/end-users/end-users-service.js';
import { createErasure } from './modules/erasure/index.js';
import { createFraud } from './modules/fraud/index.js';
import { createIdempotency } from './modules/idempotency/index.js';
import { createMessages } from './modules/messages/index.js';
import { createSendNotification } from './modules/notifications/notifications-service.js';
import { createOtp } from './modules/otp/index.js';
import { createPeople } from './modules/people/index.js';
import { createProviders } from './modules/providers/index.js';
import { ROUTING_POLL_MS } from './modules/providers/routing.js';
import { createSessions } from './modules/sessions/index.js';
import { createTemplates } from './modules/templates/index.js';
import { createTwoFactor } from './modules/twofactor/index.js';
import { createUsageRecorder, createUsageService } from './modules/usage/index.js';
import { createWebhooks } from './modules/webhooks/index.js';
import type { Clock } from './platform/clock.js';
import { publicUrl, type Config } from './platform/config/config.js';
import { devInboxAccess } from './platform/config/exposure.js';
import { createKeyring } from './platform/crypto.js';
import { readOrCreateSecretKey, requireDatabaseFile } from './platform/data-dir.js';
import { createInTransaction, createWriter } from './platform/db/transaction.js';
import type { AddressRules } from './platform/http/checked-address.js';
import type { Log } from './platform/log.js';
import { createMetrics } from './platform/metrics.js';
import { openPlatform } from './platform/platform.js';
import { createTasks } from './platform/repeat.js';
import { createSettings } from './platform/settings-cache.js';
import type { Provider } from './providers/provider.js';

/** How often a process checks which applications have many queued messages. */
const BACKLOG_CHECK_MS = 1000;
/** How often a process stores the rejected callers that it has counted in memory. */
const REJECTED_CALLERS_MS = 2000;
/** How often the sweeper looks for due messages. */
const SWEEP_MS = 1000;
/** How often a worker checks for webhook events to send. */
const WEBHOOK_POLL_MS = 1000;
/** How often a worker checks for received events of shops. */
const AUTOMATIONS_POLL_MS = 1000;
/** How often a worker checks for fraud guard notices to email to owners. */
const FRAUD_MAIL_MS = 5000;
/** How often expired data is deleted: often enough to keep each clean-up short. */
export const CLEANUP_INTERVAL_MS = 60_000;

export interface CoreOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  /** Dev inbox for channels without a provider. If omitted, the settings determine whether there is a dev inbox. */
  readonly devInbox?: DevInbox | undefined;
  /**
   * IP addresses that HTTP gateways may call, for tests. By default, gateways of accounts other than the operator's may
   * only call public addresses.
   */
  readonly gatewayAddresses?: AddressRules | undefined;
  /** False for the operator command, which neither enqueues nor delivers messages. */
  readonly jobs?: boolean | undefined;
  /** If false, throws a `MissingDatabaseError` instead of creating a database. */
  readonly create?: boolean | undefined;
}

export type Core = Awaited<ReturnType<typeof createCore>>;

function createDevInboxIfEnabled(config: Config, clock: Clock): DevInbox | undefined {
  const access = devInboxAccess(config);
  return access === 'off' ? undefined : createDevInbox(clock, { needsKey: access === 'secret' });
}

/**
 * Returns the provider that sends sign-in codes. A code in the dev inbox does not prove who owns an email address, so
 * the dev inbox is only used on a developer's machine.
 */
const signInProvider = (provider: Provider | undefined, devInbox: DevInbox | undefined): Provider | undefined =>
  devInbox?.needsKey && provider?.standIn ? undefined : provider;

interface BackgroundParts {
  readonly config: Config;
  readonly log: Log;
  readonly platform: Awaited<ReturnType<typeof openPlatform>>;
  readonly routing: ReturnType<typeof createProviders>['services']['routing'];
  readonly messages: ReturnType<typeof createMessages>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly automations: ReturnType<typeof createAutomations>;
  readonly people: ReturnType<typeof createPeople>;
  readonly idempotency: ReturnType<typeof createIdempotency>;
  readonly rejectedCallers: ReturnType<typeof createApplications>['rejectedCallers'];
  readonly signingKeys: ReturnType<typeof createSessions>['signingKeys'];
  /** Tasks that run regularly, for example to delete old rows. */
  readonly maintenance: readonly (() => Promise<unknown>)[];
}

/** Creates the functions that start and stop the work that no request waits for. */
function createBackground(parts: BackgroundParts) {
  const { config, log, platform, routing, messages, webhooks, automations, people, idempotency } = parts;
  const { rejectedCallers, signingKeys, maintenance } = parts;
  const { clock, queue, limiter } = platform;
  const { repeat, logFailure, stop: stopTasks } = createTasks(clock, log);

  function startDelivering(): void {
    queue.start((job) => messages.deliver(job).catch(logFailure('delivery')));
    repeat(SWEEP_MS, 'sweep', messages.sweep);
    repeat(WEBHOOK_POLL_MS, 'webhooks', webhooks.sender.poll);
    repeat(AUTOMATIONS_POLL_MS, 'automations', automations.processor.poll);
    repeat(FRAUD_MAIL_MS, 'fraud mails', people.mailFraudNotices);
    repeat(CLEANUP_INTERVAL_MS, 'clean-up', async () => {
      for (const task of maintenance) await task().catch(logFailure('clean-up'));
    });
  }

  /** Starts the background work for this server process's role: queue, sweeper, webhooks and clean-up. */
  async function start(): Promise<void> {
    const isOnlyProcess = platform.claim();
    await platform.ready();
    await limiter.load();
    if (isOnlyProcess) await Promise.all([messages.releaseAll(), idempotency.releaseAll()]);
    // Creates the first signing key, so that the published key set is never empty.
    await signingKeys.current();
    repeat(ROUTING_POLL_MS, 'routes', routing.poll);
    repeat(BACKLOG_CHECK_MS, 'backlog', messages.service.checkBacklog);
    if (config.ROLE !== 'worker') repeat(REJECTED_CALLERS_MS, 'rejected callers', rejectedCallers.write);
    if (config.ROLE !== 'api') startDelivering();
  }

  /** Waits for work in progress, and closes all connections. */
  async function stop(): Promise<void> {
    await stopTasks();
    const lastWrite = rejectedCallers.write().catch(logFailure('rejected callers'));
    await Promise.all([automations.processor.stop(), webhooks.sender.stop(), people.stop(), lastWrite]);
    await queue.stop();
    await routing.close();
    await platform.close();
  }

  return { start, stop };
}

/** Opens the platform, migrates the database and creates the modules. {@link Core.start} starts the background work. */
export async function createCore(config: Config, { log, jobs, create = true, ...options }: CoreOptions) {
  if (!create && config.DATABASE_URL === undefined) requireDatabaseFile(config.DATA_DIR);
  const keyring = createKeyring(config.SECRET_KEY ?? [readOrCreateSecretKey(config.DATA_DIR)]);
  const platform = await openPlatform(config, log, { clock: options.clock, jobs, create });
  const { clock, db, queue, limiter, bus } = platform;
  const [metrics, write, inTransaction] = [createMetrics(), createWriter(db), createInTransaction(db)];
  const devInbox = options.devInbox ?? createDevInboxIfEnabled(config, clock);

  const settings = createSettings(db, clock);
  const audit = createAuditService(db, settings, clock, config.AUDIT_RETENTION_DAYS);
  const usageRecorder = createUsageRecorder(db);
  const applicationsModule = createApplications(db, keyring, clock, bus, audit, settings, publicUrl(config));
  const { service: applications, profiles, rejectedCallers } = applicationsModule;
  const shared = { ...options, ...platform, config, keyring, log, applications, audit, devInbox };
  const providersModule = createProviders(shared);
  const { routing } = providersModule.services;
  await routing.load();
  const { channels: providers, providerFor, isPaid, currency } = routing;
  const { service: templates } = createTemplates({
    db,
    audit,
    settings,
    clock,
    log,
    brandingOf: applications.brandingOf,
  });
  const webhooks = createWebhooks({ db, bus, keyring, clock, log, audit, allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE });
  const sessions = createSessions(db, keyring, clock, config.BASE_URL ?? 'passbell', config.USER_RETENTION_DAYS);
  const fraud = createFraud({
    db,
    inTransaction,
    audit,
    applications,
    isPaid,
    keyring,
    limiter,
    clock,
    log,
    metrics,
    currency,
    sessions: sessions.service,
    outbox: webhooks.outbox,
    senderCountries: routing.senderCountries,
  });
  const messages = createMessages({
    db,
    write,
    queue,
    bus,
    keyring,
    clock,
    log,
    metrics,
    limiter,
    routing,
    audit,
    contentOf: templates.contentOf,
    usage: usageRecorder,
    outbox: webhooks.outbox,
    guard: fraud.service.guard,
    waitMs: config.SEND_WAIT_MS,
    providerTimeoutMs: config.PROVIDER_TIMEOUT_MS,
  });
  const idempotency = createIdempotency(db, keyring, clock, config.SEND_WAIT_MS);
  const sending = {
    messages: messages.service,
    idempotency: idempotency.service,
    limiter,
    providerFor,
    clock,
    currency,
    fraud: fraud.service,
    voiceLanguage: config.VOICE_LANGUAGE,
  };
  const otp = createOtp({
    db,
    write,
    keyring,
    sessions: sessions.service,
    usage: usageRecorder,
    outbox: webhooks.outbox,
    ...sending,
  });
  const sendNotification = createSendNotification(sending);
  const automations = createAutomations({ db, applications, sendNotification, audit, keyring, limiter, clock, log });
  const twoFactor = createTwoFactor(db, keyring, clock, applications, sessions.service, audit);
  const people = createPeople({
    db,
    clock,
    keyring,
    log,
    limiter,
    applications,
    audit,
    messages: messages.service,
    otp: otp.service,
    twoFactor: twoFactor.service,
    fraudNotices: fraud.notices,
    url: publicUrl(config),
    emailProvider: () => signInProvider(providers.get('EMAIL'), devInbox),
  });
  const usage = createUsageService(db, otp.pendingCodes);
  const erasers = {
    codes: otp.service.erase,
    users: sessions.service.eraseUsers,
    messages: messages.service.erase,
    secondFactors: twoFactor.service.erase,
    fraudRecords: fraud.erase,
    shopEvents: automations.service.erase,
  };
  const erasure = createErasure({ db, inTransaction, audit, bus, clock }, erasers);
  const endUsers = createEndUsersService({
    inTransaction,
    keyring,
    clock,
    audit,
    erasure: erasure.service,
    sessions: sessions.service,
    otp: otp.service,
    twoFactor: twoFactor.service,
  });
  const modules = [audit, messages, fraud, otp, sessions, twoFactor, people, idempotency, webhooks, applicationsModule];
  const all = [...modules, automations, providersModule, erasure];
  const maintenance = [limiter.sweep, ...all.flatMap((module) => module.maintenance)];

  const { start, stop } = createBackground({
    config,
    log,
    platform,
    routing,
    messages,
    webhooks,
    automations,
    people,
    idempotency,
    rejectedCallers,
    signingKeys: sessions.signingKeys,
    maintenance,
  });

  return {
    config,
    log,
    clock,
    keyring,
    limiter,
    metrics,
    providers,
    devInbox,
    currency,
    checks: platform.checks,
    url: publicUrl(config),
    ...providersModule.services,
    applications,
    profiles,
    rejectedCallers,
    audit,
    templates,
    inTransaction,
    usage,
    messages: messages.service,
    messageLookup: messages.lookup,
    otp: otp.service,
    sendNotification,
    automations: automations.service,
    refusesPaid: fraud.refusesPaid,
    fraudPauses: fraud.pauses,
    fraudEvents: fraud.notices.recentEvents,
    fraudSettings: fraud.settings,
    fraudOverview: fraud.overview,
    sessions: sessions.service,
    signingKeys: sessions.signingKeys,
    twoFactor: twoFactor.service,
    erasure: erasure.service,
    endUsers,
    webhooks: webhooks.service,
    people: people.service,
    personSessions: people.sessions,
    signIn: people.signIn,
    signInLinks: people.signInLinks,
    secondFactor: people.secondFactor,
    passkeys: people.passkeys,
    confirmation: people.confirmation,
    start,
    stop,
  };
}
