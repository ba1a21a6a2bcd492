/** The one place where the parts of the service meet. */
import type { Express } from 'express';
import { createApp } from './app.js';
import { openBacking } from './backing.js';
import { createChannels } from './channels/registry.js';
import { SECOND, type Clock } from './clock.js';
import { devInboxEnabled, type Config } from './config.js';
import { createKeyring } from './crypto.js';
import { demoRoutes } from './demo-routes.js';
import { createDevInbox, type DevInbox } from './dev-inbox/dev-inbox.js';
import { devInboxRoutes } from './dev-inbox/dev-inbox-routes.js';
import { healthRoutes } from './health-routes.js';
import { createAuthentication } from './http/authentication.js';
import { createWidgetAccess } from './http/widget-access.js';
import { BACKLOG_CHECK_MS, CLEANUP_INTERVAL_MS, SWEEP_MS } from './limits.js';
import { describeError, type Log } from './log.js';
import { createMetrics } from './metrics.js';
import { applicationsRoutes } from './modules/applications/applications-routes.js';
import { createApplicationsService, type ApplicationsService } from './modules/applications/applications-service.js';
import { createApplicationsStore } from './modules/applications/applications-store.js';
import { createIdempotencyService } from './modules/idempotency/idempotency-service.js';
import { createIdempotencyStore } from './modules/idempotency/idempotency-store.js';
import { createDelivery } from './modules/messages/delivery.js';
import { createMessagesService, type MessagesService } from './modules/messages/messages-service.js';
import { createMessagesStore } from './modules/messages/messages-store.js';
import { otpRoutes } from './modules/otp/otp-routes.js';
import { createOtpStore } from './modules/otp/otp-store.js';
import { createSendOtp } from './modules/otp/send-service.js';
import { createVerifyOtp } from './modules/otp/verify-service.js';
import { jwksRoute, sessionsRoutes } from './modules/sessions/sessions-routes.js';
import { createSessionsService } from './modules/sessions/sessions-service.js';
import { createSigningKeys, type SigningKeys } from './modules/sessions/signing-keys.js';
import { createTokensStore } from './modules/sessions/tokens-store.js';
import { createUsersStore } from './modules/sessions/users-store.js';
import { createGuessesStore } from './modules/twofactor/guesses-store.js';
import { twoFactorRoutes } from './modules/twofactor/twofactor-routes.js';
import { createTwoFactorService, type TwoFactorService } from './modules/twofactor/twofactor-service.js';
import { createTwoFactorStore } from './modules/twofactor/twofactor-store.js';
import { every } from './repeat.js';
import { secretKeyIn } from './secret-key.js';

export interface Service {
  readonly app: Express;
  readonly applications: ApplicationsService;
  readonly messages: MessagesService;
  readonly signingKeys: SigningKeys;
  readonly twoFactor: TwoFactorService;
  /** Delivers messages and keeps house; the operator command does neither. */
  startWork(): Promise<void>;
  /** Finishes what is in progress and lets go of everything. */
  stop(): Promise<void>;
}

export interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Stands in for the channels that have no provider; by default the settings decide whether there is one. */
  readonly devInbox?: DevInbox | undefined;
}

function inboxOf(config: Config, clock: Clock): DevInbox | undefined {
  return devInboxEnabled(config) ? createDevInbox(clock) : undefined;
}

/** Builds the service of a process on its own database, migrated. */
export async function compose(
  config: Config,
  { clock, log, devInbox = inboxOf(config, clock) }: Parts,
): Promise<Service> {
  const keyring = createKeyring(config.SECRET_KEY ?? [secretKeyIn(config.DATA_DIR)]);
  const backing = await openBacking(config, { clock, log });
  const { db, queue, limiter, outcomes, changes } = backing;
  const answers = config.ROLE !== 'worker';
  const delivers = config.ROLE !== 'api';
  let stopping = false;

  const channels = createChannels(config, { log, ...(devInbox ? { devInbox } : {}) });
  const waitMs = config.SEND_WAIT_MS;
  const metrics = createMetrics();

  const applications = createApplicationsService({ store: createApplicationsStore(db), keyring, clock, changes });
  const messagesStore = createMessagesStore(db);
  const messages = createMessagesService({ store: messagesStore, queue, outcomes, keyring, clock, waitMs });
  // Connecting and answering may each take the whole time-out.
  const deadlineMs = 2 * config.PROVIDER_TIMEOUT_MS + SECOND;
  const deliver = createDelivery({
    store: messagesStore,
    queue,
    outcomes,
    channels,
    keyring,
    clock,
    log,
    metrics,
    deadlineMs,
  });
  const tokens = createTokensStore(db);
  const signingKeys = createSigningKeys({ store: tokens, keyring, clock });
  const issuer = config.BASE_URL ?? 'passbell';
  const sessions = createSessionsService({ users: createUsersStore(db), tokens, keys: signingKeys, clock, issuer });
  const idempotency = createIdempotencyService({ store: createIdempotencyStore(db), keyring, clock, waitMs });
  const otpStore = createOtpStore(db);
  const sendOtp = createSendOtp({
    store: otpStore,
    messages,
    idempotency,
    limiter,
    channels,
    keyring,
    clock,
    language: config.VOICE_LANGUAGE,
  });
  const verifyOtp = createVerifyOtp({ store: otpStore, messages, sessions, keyring, clock });
  const factors = { store: createTwoFactorStore(db), guesses: createGuessesStore(db) };
  const twoFactor = createTwoFactorService({ ...factors, applications, sessions, keyring, clock });

  const authentication = createAuthentication({ applications, limiter });
  const app = createApp({
    log,
    metrics,
    trustProxy: config.TRUST_PROXY,
    api: answers
      ? [
          applicationsRoutes({ authentication }),
          otpRoutes({ authentication, sendOtp, verifyOtp }),
          sessionsRoutes({ authentication, sessions }),
          twoFactorRoutes({ authentication, widgetAccess: createWidgetAccess({ applications, limiter }), twoFactor }),
        ]
      : [],
    jwks: jwksRoute(sessions),
    health: healthRoutes({
      checks: backing.checks,
      stopping: () => stopping,
      metrics,
      backlog: messages.backlog,
    }),
    dev: devInbox && devInboxRoutes(devInbox, { anyHost: config.DEV_INBOX === 'force' }),
    demo: devInbox && config.REDIS_URL === undefined ? demoRoutes(applications) : undefined,
  });

  const failed = (task: string) => (error: unknown) => log.error({ task, err: describeError(error) }, 'task failed');
  const loops: { stop(): Promise<void> }[] = [];
  const housekeeping = [
    limiter.sweep,
    messages.cleanUp,
    () => otpStore.cleanUp(clock.now()),
    sessions.cleanUp,
    twoFactor.cleanUp,
    idempotency.cleanUp,
  ];

  return {
    app,
    applications,
    messages,
    signingKeys,
    twoFactor,

    async startWork() {
      const alone = backing.claim();
      await limiter.load();
      if (alone) await Promise.all([messages.takeOver(), idempotency.takeOver()]);
      // Made before the first token, so that the published set is never empty.
      await signingKeys.current();
      if (answers) loops.push(every(BACKLOG_CHECK_MS, clock, () => messages.watch().catch(failed('backlog'))));
      if (!delivers) return;
      queue.start((job) => deliver(job).catch(failed('delivery')));
      loops.push(
        every(SWEEP_MS, clock, () => messages.sweep().catch(failed('sweep'))),
        every(CLEANUP_INTERVAL_MS, clock, async () => {
          for (const task of housekeeping) await task().catch(failed('clean-up'));
        }),
      );
    },

    async stop() {
      stopping = true;
      await Promise.all(loops.map((loop) => loop.stop()));
      await queue.stop();
      for (const channel of channels.values()) channel.close?.();
      await backing.close();
    },
  };
}
