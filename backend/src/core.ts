/** The core: the platform and all modules, without the HTTP server. The server and the operator command use it. */
import type { Application } from './modules/applications/application.js';
import { createApplications } from './modules/applications/index.js';
import { createAutomations } from './modules/automations/index.js';
import { createAudit } from './modules/audit/audit-service.js';
import { createBudgets } from './modules/budgets/index.js';
import { createChallenges } from './modules/challenges/challenges-service.js';
import { createCodePages } from './modules/code-pages/index.js';
import { createDevInbox, type DevInbox } from './modules/dev-inbox/dev-inbox.js';
import { openInboxFile } from './modules/dev-inbox/dev-inbox-file.js';
import { createEndUsers } from './modules/end-users/end-users-service.js';
import { createErasure } from './modules/erasure/index.js';
import { createFraud } from './modules/fraud/index.js';
import { createIdempotency } from './modules/idempotency/index.js';
import { createManage } from './modules/manage/index.js';
import { createManagementKeys } from './modules/management-keys/index.js';
import { createMessages } from './modules/messages/index.js';
import { createNotices } from './modules/notices/index.js';
import { createFetchAttachment } from './modules/notifications/attachments.js';
import { createNotifications } from './modules/notifications/notifications-service.js';
import { createOtp } from './modules/otp/index.js';
import { createPeople } from './modules/people/index.js';
import type { Person } from './modules/people/person.js';
import type { WeeklyEmail } from './modules/people/weekly-emails.js';
import { createProviders } from './modules/providers/index.js';
import { ROUTING_POLL_MS, SCORES_SYNC_MS } from './modules/providers/routing.js';
import { createSenderDomains } from './modules/sender-domains/index.js';
import { createSessions } from './modules/sessions/index.js';
import { createUnsubscribeHeaders } from './modules/suppressions/unsubscribe-headers.js';
import { createSuppressions } from './modules/suppressions/index.js';
import { DASHBOARD_APP_KEY } from './modules/people/dashboard-application.js';
import { createTemplates } from './modules/templates/index.js';
import { createTestCodes } from './modules/test-sends/test-codes.js';
import { createTwoFactor } from './modules/twofactor/index.js';
import { createUpkeep } from './modules/upkeep/index.js';
import { createUsage, createUsageRecorder } from './modules/usage/index.js';
import { createWebhooks } from './modules/webhooks/index.js';
import { HOUR, type Clock } from './platform/clock.js';
import { publicCallbackBase, publicUrl, type Config } from './platform/config/config.js';
import { devInboxAccess } from './platform/config/exposure.js';
import { createKeyring } from './platform/crypto.js';
import { readOrCreateSecretKey, requireDatabaseFile } from './platform/data-dir.js';
import { updateStatistics } from './platform/db/statistics.js';
import { createInTransaction, createWriter } from './platform/db/transaction.js';
import type { AddressRules } from './platform/http/checked-address.js';
import type { Log } from './platform/log.js';
import { createMetrics } from './platform/metrics.js';
import { openPlatform, type PlatformOptions } from './platform/platform.js';
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
/** How often a process checks for weekly emails to send. */
const WEEKLY_EMAILS_MS = 60_000;
/** How often a process reads the certificate of the public address. */
const CERTIFICATE_MS = 6 * HOUR;
/** How often the statistics of tables that have grown are updated. Usually, there is nothing to do. */
const STATISTICS_MS = 60_000;
/** How often expired data is deleted: often enough to keep each clean-up short. */
export const CLEANUP_INTERVAL_MS = 60_000;

interface CoreOptions extends PlatformOptions {
  readonly log: Log;
  /** Dev inbox for channels without a provider. If omitted, the settings determine whether there is a dev inbox. */
  readonly devInbox?: DevInbox | undefined;
  /**
   * IP addresses that HTTP gateways may call, for tests. By default, gateways of accounts other than the operator's may
   * only call public addresses.
   */
  readonly gatewayAddresses?: AddressRules | undefined;
}

export type Core = Awaited<ReturnType<typeof createCore>>;
type WeeklyContent = (person: Person) => Promise<WeeklyEmail>;
type Base = Awaited<ReturnType<typeof openBase>>;
type Modules = Awaited<ReturnType<typeof createModules>>;

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

/** Opens the platform and migrates the database. Returns everything that several modules use. */
async function openBase(config: Config, { log, jobs, create = true, ...options }: CoreOptions) {
  if (!create && config.DATABASE_URL === undefined) requireDatabaseFile(config.DATA_DIR);
  const keyring = createKeyring(config.SECRET_KEY ?? [readOrCreateSecretKey(config.DATA_DIR)]);
  const platform = await openPlatform(config, log, { clock: options.clock, jobs, create });
  const { clock, db } = platform;
  return {
    ...platform,
    config,
    log,
    keyring,
    write: createWriter(db),
    inTransaction: createInTransaction(db),
    settings: createSettings(db, clock),
    metrics: createMetrics(),
    devInbox: options.devInbox ?? createDevInboxIfEnabled(config, clock),
    url: publicUrl(config),
  };
}

async function createModules(base: Base, gatewayAddresses: AddressRules | undefined) {
  const { config, db, keyring, clock, limiter } = base;
  const audit = createAudit(db, base.settings, clock, config.AUDIT_RETENTION_DAYS);
  const shared = { ...base, audit: audit.service };

  const applications = createApplications(shared);
  const providers = createProviders({ ...shared, applications: applications.service, gatewayAddresses });
  const { routing } = providers;
  await routing.load();
  const senderDomains = createSenderDomains(providers.service, clock, base.log, config.DNS_SERVERS);
  const templates = createTemplates({ ...shared, brandingOf: applications.service.brandingOf });
  const { WEBHOOKS_ALLOW_PRIVATE: allowPrivate } = config;
  // Only this machine can reach a server with an open dev inbox, and its developer tests webhooks on the same machine.
  const allowLoopback = devInboxAccess(config) === 'local';
  const webhooks = createWebhooks({ ...shared, allowPrivate, allowLoopback });
  const sessions = createSessions(db, keyring, clock, config.BASE_URL ?? 'passbell', config.USER_RETENTION_DAYS);
  const challenges = createChallenges(shared);
  const notices = createNotices(db, clock);
  const usageRecorder = createUsageRecorder(db, clock);
  const services = {
    ...shared,
    applications: applications.service,
    applicationOf: applications.service.byId,
    challenges,
    notices,
    outbox: webhooks.outbox,
    sessions: sessions.service,
    usage: usageRecorder,
  };
  const { isPaid, senderCountries } = routing;
  const fraud = createFraud({ ...services, isPaid, senderCountries });
  const alwaysSends = ({ appKey }: Application) => appKey === DASHBOARD_APP_KEY;
  const suppressions = createSuppressions({ ...services, alwaysSends });
  const budgets = createBudgets({ ...services, routing });
  const messages = createMessages({
    ...services,
    suppressions,
    routing,
    contentOf: templates.service.contentOf,
    unsubscribeHeaders: createUnsubscribeHeaders(publicCallbackBase(config), suppressions.optOuts),
    budgetsOf: budgets.limitsOf,
    guard: fraud.service.guard,
    reserve: fraud.service.reserve,
    countCodes: fraud.service.countCodes,
    waitMs: config.SEND_WAIT_MS,
    providerTimeoutMs: config.PROVIDER_TIMEOUT_MS,
  });
  const idempotency = createIdempotency(db, keyring, clock, config.SEND_WAIT_MS);
  const sending = {
    clock,
    limiter,
    suppressions,
    budgetsOf: budgets.limitsOf,
    providerFor: routing.providerFor,
    currency: routing.currency,
    messages: messages.service,
    idempotency: idempotency.service,
    fraud: fraud.service,
    voiceLanguage: config.VOICE_LANGUAGE,
  };
  const otp = createOtp({ ...services, ...sending, recordOutcome: routing.recordOutcome });
  const codePages = createCodePages({
    ...shared,
    otp: otp.service,
    // A server that only this machine can reach is often used with an n8n on the same machine.
    allowPrivate: allowPrivate || allowLoopback,
  });
  const notifications = createNotifications({
    ...sending,
    lookup: messages.lookup,
    fetchAttachment: createFetchAttachment({ allowPrivate }),
  });
  const automations = createAutomations({ ...services, notifications: notifications.service });
  const twoFactor = createTwoFactor(services);
  const people = createPeople({
    ...services,
    profiles: applications.profiles,
    messages: messages.service,
    otp: otp.service,
    twoFactor: twoFactor.service,
    emailProvider: () => signInProvider(routing.operatorProviders.get('EMAIL'), base.devInbox),
  });
  const usage = createUsage(usageRecorder, otp.pendingCodes);
  const erasure = createErasure(shared, {
    codes: otp.service.erase,
    users: sessions.service.eraseUsers,
    messages: async (trx, applicationIds, address) => {
      for (const id of applicationIds) base.devInbox?.erase(id, address);
      return messages.service.erase(trx, applicationIds, address);
    },
    secondFactors: twoFactor.service.erase,
    fraudRecords: fraud.erase,
    shopEvents: automations.service.erase,
    suppressions: suppressions.erase,
  });
  const endUsers = createEndUsers({
    ...services,
    erasure: erasure.service,
    otp: otp.service,
    twoFactor: twoFactor.service,
  });
  const managementKeys = createManagementKeys(shared);
  const testCodes = createTestCodes({ ...shared, limiter }, otp.service, messages.lookup, routing.isFree);
  const modules = {
    audit,
    managementKeys,
    messages,
    budgets,
    notices,
    challenges,
    fraud,
    otp,
    codePages,
    sessions,
    twoFactor,
    people,
    idempotency,
    webhooks,
    applications,
    automations,
    providers,
    senderDomains,
    suppressions,
    templates,
    testCodes,
    notifications,
    usage,
    endUsers,
    erasure,
    upkeep: createUpkeep(config),
  };
  return { ...modules, manage: createManage({ ...modules, clock }) };
}

/** Creates the functions that start and stop the work that no request waits for. */
function createBackground(base: Base, modules: Modules) {
  const { config, log, db, clock, keyring, devInbox, queue, limiter, claim, ready, close } = base;
  const { applications, automations, budgets, idempotency, messages, people, providers, senderDomains, sessions } =
    modules;
  const { webhooks, upkeep } = modules;
  const { repeat, logFailure, stop: stopTasks } = createTasks(clock, log);
  let keepInbox: () => void = () => undefined;
  let weeklyContent: WeeklyContent | undefined;

  async function cleanUp(): Promise<void> {
    const tasks = Object.values(modules).flatMap((module) => ('maintenance' in module ? module.maintenance : []));
    for (const task of [limiter.sweep, ...tasks]) await task().catch(logFailure('clean-up'));
  }

  function startDelivering(): void {
    queue.start((job) => messages.deliver(job).catch(logFailure('delivery')));
    repeat(SWEEP_MS, 'sweep', messages.sweep);
    repeat(WEBHOOK_POLL_MS, 'webhooks', webhooks.sender.poll);
    repeat(AUTOMATIONS_POLL_MS, 'automations', automations.processor.poll);
    repeat(FRAUD_MAIL_MS, 'fraud mails', people.mailFraudNotices);
    repeat(CLEANUP_INTERVAL_MS, 'clean-up', cleanUp);
  }

  /** Starts the background work for this server process's role: queue, sweeper, webhooks and clean-up. */
  async function start(): Promise<void> {
    const isOnlyProcess = claim();
    await ready();
    await limiter.load();
    if (isOnlyProcess) {
      keepInbox = openInboxFile(devInbox, config.DATA_DIR, keyring, clock);
      await Promise.all([messages.releaseAll(), idempotency.releaseAll()]);
    }
    // Creates the first signing key, so that the published key set is never empty.
    await sessions.signingKeys.current();
    repeat(STATISTICS_MS, 'statistics', () => updateStatistics(db));
    repeat(ROUTING_POLL_MS, 'routes', providers.routing.poll);
    repeat(SCORES_SYNC_MS, 'provider scores', providers.routing.syncScores);
    repeat(BACKLOG_CHECK_MS, 'backlog', messages.service.checkBacklog);
    if (config.ROLE !== 'worker') repeat(REJECTED_CALLERS_MS, 'rejected callers', applications.rejectedCallers.write);
    if (config.ROLE !== 'api') startDelivering();
    repeat(CERTIFICATE_MS, 'certificate', upkeep.checkCertificate);
    repeat(WEEKLY_EMAILS_MS, 'weekly emails', async () => weeklyContent && people.weeklyEmails.sendDue(weeklyContent));
  }

  /** Waits for work in progress, and closes all connections. */
  async function stop(): Promise<void> {
    upkeep.stop();
    await stopTasks();
    senderDomains.stop();
    const lastWrite = applications.rejectedCallers.write().catch(logFailure('rejected callers'));
    await Promise.all([automations.processor.stop(), webhooks.sender.stop(), people.stop(), lastWrite]);
    await queue.stop();
    await Promise.all([messages.stop(), budgets.stop()]);
    keepInbox();
    await providers.routing.syncScores().catch(logFailure('provider scores'));
    await providers.routing.close();
    await close();
  }

  return {
    /** Sets the content of weekly emails. A process without it sends none. */
    setWeeklyContent: (content: WeeklyContent): void => void (weeklyContent = content),
    start,
    stop,
  };
}

/** Opens the platform, migrates the database and creates the modules. {@link Core.start} starts the background work. */
export async function createCore(config: Config, options: CoreOptions) {
  const base = await openBase(config, options);
  const modules = await createModules(base, options.gatewayAddresses);
  const { log, clock, keyring, limiter, metrics, inTransaction, devInbox, url, checks, inspectRedis } = base;
  return {
    config,
    log,
    clock,
    keyring,
    limiter,
    metrics,
    inTransaction,
    devInbox,
    url,
    checks,
    inspectRedis,
    ...modules,
    ...createBackground(base, modules),
  };
}
