/** Wires what the API answers, and what keeps its house. */
import { createApp } from './server.js';
import { createTwilioCallbacks } from './providers/twilio-callbacks.js';
import type { DeliveryParts, Ground } from './compose-delivery.js';
import { callbackBaseUrl, publicUrl } from './platform/config/config.js';
import { dashboardRoutes } from './dashboard/dashboard-routes.js';
import { demoRoutes } from './modules/twofactor/demo-routes.js';
import { devInboxRoutes } from './modules/dev-inbox/dev-inbox-routes.js';
import { openGeo } from './platform/geo.js';
import { healthRoutes } from './platform/http/health-routes.js';
import { createAuthentication } from './modules/applications/authentication.js';
import { createValidator } from './platform/http/validation.js';
import { createWidgetAccess } from './modules/twofactor/widget-access.js';
import { applicationsRoutes } from './modules/applications/applications-routes.js';
import { createApplicationsService, type ApplicationsService } from './modules/applications/applications-service.js';
import { createApplicationsStore } from './modules/applications/applications-store.js';
import { createAuditService } from './modules/audit/audit-service.js';
import { createAuditStore } from './modules/audit/audit-store.js';
import { createRefusals } from './modules/applications/rejected-callers.js';
import { createRefusalsStore } from './modules/applications/rejected-callers-store.js';
import { createIdempotencyService } from './modules/idempotency/idempotency-service.js';
import { createIdempotencyStore } from './modules/idempotency/idempotency-store.js';
import { callbacksRoutes } from './modules/messages/callbacks-routes.js';
import { messagesRoutes } from './modules/messages/messages-routes.js';
import { createDescribeDevice } from './modules/notifications/device-info.js';
import { notificationsRoutes } from './modules/notifications/notifications-routes.js';
import { createSendNotification } from './modules/notifications/notifications-service.js';
import { otpRoutes } from './modules/otp/otp-routes.js';
import { createCodeCounts } from './modules/otp/code-counts.js';
import { createCountsStore } from './modules/otp/counts-store.js';
import { createProofs } from './modules/otp/proofs.js';
import { createOtpStore } from './modules/otp/otp-store.js';
import { createSendOtp } from './modules/otp/send-service.js';
import { createTestCodes } from './modules/test-sends/test-codes.js';
import { createVerifiedSessions } from './modules/otp/verified-sessions.js';
import { createVerifyOtp } from './modules/otp/verify-service.js';
import { createHouse } from './modules/people/dashboard-application.js';
import { createInvitationsStore } from './modules/people/invitations-store.js';
import { createOwnFactor } from './modules/people/own-factor.js';
import { createPeopleService } from './modules/people/people-service.js';
import { createPeopleStore } from './modules/people/people-store.js';
import { createPersonSessions } from './modules/people/person-sessions.js';
import { createPersonSessionsStore } from './modules/people/person-sessions-store.js';
import { createSignIn, type SignInDependencies } from './modules/people/sign-in-service.js';
import { jwksRoute, sessionsRoutes } from './modules/sessions/sessions-routes.js';
import { createSessionsService } from './modules/sessions/sessions-service.js';
import { createSigningKeys } from './modules/sessions/signing-keys.js';
import { createTokensStore } from './modules/sessions/tokens-store.js';
import { createUsersStore } from './modules/sessions/users-store.js';
import { createTestMessages } from './modules/test-sends/test-messages.js';
import { createGuessesStore } from './modules/twofactor/guesses-store.js';
import { twoFactorRoutes } from './modules/twofactor/twofactor-routes.js';
import { createTwoFactorService } from './modules/twofactor/twofactor-service.js';
import { createTwoFactorStore } from './modules/twofactor/twofactor-store.js';
import { createRecentEvents } from './modules/webhooks/recent-events.js';
import { webhooksRoutes } from './modules/webhooks/webhooks-routes.js';

/** Applications, sessions and second factors: who calls, and who somebody is. */
function composeIdentities({ config, backing, keyring }: Ground) {
  const { clock, db, changes } = backing;
  const applications = createApplicationsService({ store: createApplicationsStore(db), keyring, clock, changes });
  const tokens = createTokensStore(db);
  const signingKeys = createSigningKeys({ store: tokens, keyring, clock });
  const issuer = config.BASE_URL ?? 'passbell';
  const sessions = createSessionsService({ users: createUsersStore(db), tokens, keys: signingKeys, clock, issuer });
  const factors = { store: createTwoFactorStore(db), guesses: createGuessesStore(db) };
  const twoFactor = createTwoFactorService({ ...factors, applications, sessions, keyring, clock });
  return { applications, signingKeys, sessions, twoFactor };
}

type PeopleNeeds = Omit<SignInDependencies, 'people' | 'house' | 'limiter'> & {
  readonly applications: ApplicationsService;
};

/** Who uses the dashboard, and what they changed. */
function composePeople({ backing }: Ground, { applications, channels, ...codes }: PeopleNeeds) {
  const { clock, db, limiter } = backing;
  const store = createPeopleStore(db);
  const people = createPeopleService({ store, invitations: createInvitationsStore(db), applications, clock });
  const personSessions = createPersonSessions({ store: createPersonSessionsStore(db), people: store, clock });
  const audit = createAuditService({ store: createAuditStore(db), clock });
  const house = createHouse(applications);
  const signIn = createSignIn({ people, house, limiter, channels, ...codes });
  const ownFactor = createOwnFactor({ house, twoFactor: codes.twoFactor });
  return { people, personSessions, audit, signIn, ownFactor };
}

/** `stopping` tells whether the process is about to end, so that it is no longer ready. */
export async function composeApi(ground: Ground, delivery: DeliveryParts, stopping: () => boolean) {
  const { config, backing, keyring, log, metrics, devInbox } = ground;
  const { clock, db, limiter } = backing;
  const { channels, messages, messagesAtOnce, insight, templates, prices, currency, write } = delivery;
  const { webhooks, announcements, outbox } = delivery;
  const { applications, signingKeys, sessions, twoFactor } = composeIdentities(ground);
  const { SEND_WAIT_MS: waitMs, VOICE_LANGUAGE: voiceLanguage } = config;

  const idempotency = createIdempotencyService({ store: createIdempotencyStore(db), keyring, clock, waitMs });
  const sending = { messages, idempotency, limiter, channels, clock, voiceLanguage, currency };
  const otpStore = createOtpStore(db);
  const sendOtp = createSendOtp({ store: otpStore, write, keyring, ...sending });
  const proofsOf = createProofs({ messages, sessions, clock });
  const verifyOtp = createVerifyOtp({ store: otpStore, proofsOf, announcements, sessions, keyring, clock });
  const sendNotification = createSendNotification(sending);
  const verifiedSessions = createVerifiedSessions({ store: otpStore, proofsOf });
  const codeCounts = createCodeCounts({ store: createCountsStore(db), usage: insight.usage, clock });
  const recentEvents = createRecentEvents({ messages, verifiedSessions });
  const describeDevice = createDescribeDevice(await openGeo(config.GEOIP_DATABASE ?? []));

  const testCodes = createTestCodes({ sendOtp, verifyOtp, messages, limiter, channels });
  const refusals = createRefusals({ store: createRefusalsStore(db), clock });
  const { people, personSessions, audit, signIn, ownFactor } = composePeople(ground, {
    applications,
    channels,
    sendOtp: createSendOtp({ store: otpStore, write, keyring, ...sending, messages: messagesAtOnce }),
    verifyOtp,
    twoFactor,
  });
  const seen = { applications, refusals, messages, ...insight, codeCounts, templates, twoFactor, webhooks };
  const testMessages = createTestMessages({
    ...{ sendOtp, sendNotification, limiter, channels },
    read: {
      otp: createValidator('SendOtpRequest'),
      notification: {
        order: createValidator('OrderNotificationRequest'),
        invoice: createValidator('InvoiceNotificationRequest'),
      },
    },
  });
  const about = { people, signIn, ownFactor, sessions: personSessions, audit };
  const pages = { ...seen, ...about, testMessages, testCodes, prices, clock, currency, url: publicUrl(config) };

  const authentication = createAuthentication({ applications, limiter, refusals });
  const widgetAccess = createWidgetAccess({ applications, limiter, refusals });
  const routes = [
    applicationsRoutes({ authentication }),
    otpRoutes({ authentication, sendOtp, verifyOtp }),
    notificationsRoutes({ authentication, sendNotification, describeDevice }),
    messagesRoutes({ authentication, messages }),
    sessionsRoutes({ authentication, sessions }),
    webhooksRoutes({ authentication, webhooks, recentEvents }),
    twoFactorRoutes({ authentication, widgetAccess, twoFactor }),
  ];
  const baseUrl = config.ROLE === 'worker' ? undefined : callbackBaseUrl(config);
  const twilio = baseUrl && createTwilioCallbacks({ baseUrl, authToken: config.TWILIO_AUTH_TOKEN! });
  const app = createApp({
    log,
    metrics,
    trustProxy: config.TRUST_PROXY,
    api: config.ROLE === 'worker' ? [] : routes,
    callbacks: twilio ? callbacksRoutes({ twilio, messages, log }) : undefined,
    jwks: jwksRoute(sessions),
    health: healthRoutes({ checks: backing.checks, stopping, metrics, backlog: messages.backlog }),
    dashboard:
      config.ROLE === 'worker'
        ? undefined
        : dashboardRoutes({ services: pages, keyring, log, baseUrl: config.BASE_URL }),
    dev: devInbox && devInboxRoutes(devInbox, { anyHost: config.DEV_INBOX === 'force' }),
    demo: devInbox && config.REDIS_URL === undefined ? demoRoutes(applications) : undefined,
  });

  const housekeeping: readonly (() => Promise<void>)[] = [
    limiter.sweep,
    messages.cleanUp,
    () => otpStore.cleanUp(clock.now()),
    sessions.cleanUp,
    twoFactor.cleanUp,
    personSessions.cleanUp,
    people.cleanUp,
    idempotency.cleanUp,
    () => outbox.cleanUp(clock.now()),
    codeCounts.count,
    refusals.cleanUp,
  ];
  return { app, applications, people, personSessions, signingKeys, twoFactor, idempotency, refusals, housekeeping };
}
