/** Creates the Express application with the API, the dashboard and the operator endpoints. */
import express, { type Express } from 'express';
import type { Core } from './core.js';
import { applicationsRoutes } from './modules/applications/applications-routes.js';
import { brandingRoutes } from './modules/applications/branding-routes.js';
import { createAuthentication } from './modules/applications/authentication.js';
import { incomingRoutes } from './modules/automations/incoming-routes.js';
import { devInboxRoutes } from './modules/dev-inbox/dev-inbox-routes.js';
import { callbacksRoutes } from './modules/messages/callbacks-routes.js';
import { messagesRoutes } from './modules/messages/messages-routes.js';
import { DASHBOARD_APP_KEY } from './modules/people/dashboard-application.js';
import { createDescribeDevice } from './modules/notifications/device-info.js';
import { notificationsRoutes } from './modules/notifications/notifications-routes.js';
import { otpRoutes } from './modules/otp/otp-routes.js';
import { jwksRoute, sessionsRoutes } from './modules/sessions/sessions-routes.js';
import { createTestCodes } from './modules/test-sends/test-codes.js';
import { createTestMessages } from './modules/test-sends/test-messages.js';
import { createTestProviders } from './modules/test-sends/test-providers.js';
import { demoRoutes } from './modules/twofactor/demo-routes.js';
import { twoFactorRoutes } from './modules/twofactor/twofactor-routes.js';
import { createIdentityLimit, createWidgetAccess } from './modules/twofactor/widget-access.js';
import { widgetRoutes } from './modules/twofactor/widget-script-routes.js';
import { usageRoutes } from './modules/usage/usage-routes.js';
import { hookRoutes } from './modules/sms-hooks/hook-routes.js';
import type { EventBody, EventName } from './modules/webhooks/event.js';
import { webhooksRoutes } from './modules/webhooks/webhooks-routes.js';
import { publicCallbackBase, publicUrl } from './platform/config/config.js';
import { devInboxAccess } from './platform/config/exposure.js';
import { openGeo } from './platform/geo.js';
import { docsRoutes } from './platform/http/docs-routes.js';
import { createErrorHandler, noStore, notFound } from './platform/http/envelope.js';
import { guidesRoutes } from './platform/http/guides-routes.js';
import { healthRoutes } from './platform/http/health-routes.js';
import { warnAboutProxy } from './platform/http/local-requests.js';
import { metricsRoutes } from './platform/http/metrics-routes.js';
import { createRequestLog } from './platform/http/request-log.js';

/** Makes browsers use https for one year. Excludes subdomains, which may run services without https. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

const securityHeaders = (baseUrl: string | undefined) => ({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  ...(baseUrl?.toLowerCase().startsWith('https:') ? HSTS : {}),
});

/** Maximum number of recent events in a reply; integrations use them as samples. */
const RECENT_EVENTS = 10;

async function apiRoutes(core: Core) {
  const { applications, limiter, messages, otp, rejectedCallers, sendNotification, sessions, twoFactor, webhooks } =
    core;
  const authentication = createAuthentication(applications, rejectedCallers, limiter);
  const widgetAccess = createWidgetAccess(applications, limiter, rejectedCallers);
  const describeDevice = createDescribeDevice(await openGeo(core.config.GEOIP_DATABASE ?? []));
  const recentEvents = (applicationId: number, event: EventName): Promise<EventBody[]> => {
    if (event === 'otp.verified') return otp.recentEvents(applicationId, RECENT_EVENTS);
    if (event === 'fraud.paused') return core.fraudEvents(applicationId, RECENT_EVENTS);
    return messages.recentEvents(applicationId, event, RECENT_EVENTS);
  };
  return [
    applicationsRoutes({ authentication }),
    otpRoutes(authentication, otp),
    notificationsRoutes(authentication, sendNotification, describeDevice),
    messagesRoutes(authentication, messages, core.messageLookup, core.currency),
    usageRoutes(authentication, core.usage, core.clock),
    sessionsRoutes(authentication, sessions),
    webhooksRoutes(authentication, webhooks, recentEvents),
    twoFactorRoutes(authentication, widgetAccess, createIdentityLimit(limiter), twoFactor),
  ];
}

async function mountDashboard(app: Express, core: Core): Promise<void> {
  const { config, keyring, limiter, log, messages, otp, providers, sendNotification, inTransaction, audit } = core;
  const services = {
    ...core,
    sessions: core.personSessions,
    testCodes: createTestCodes(otp, messages, limiter, providers),
    testMessages: createTestMessages(otp, sendNotification, limiter, providers, inTransaction, audit),
    testProviders: createTestProviders(core.providerAccounts, limiter),
  };
  // Imported dynamically, because workers have no dashboard.
  const { dashboardRoutes } = await import('./dashboard/dashboard-routes.js');
  app.use('/dashboard', dashboardRoutes(services, keyring, log, config.BASE_URL));
}

/** Mounts the API, the vendor callbacks, the dashboard and the demo. Workers serve none of these. */
async function mountClientRoutes(app: Express, core: Core): Promise<void> {
  const { config, applications, log, messages } = core;
  app.use('/api/v1', noStore, ...(await apiRoutes(core)), notFound, createErrorHandler(log, { httpStatus: false }));
  app.use(callbacksRoutes(core.routing, core.findMessageId, messages, log, publicCallbackBase(config)));
  app.use(hookRoutes(core));
  app.use(incomingRoutes(core));
  await mountDashboard(app, core);
  if (devInboxAccess(config) === 'local') app.use('/demo', demoRoutes(applications));
}

/** `stopping` returns true once the process is shutting down. From then on, the readiness check fails. */
export async function createServer(core: Core, stopping: () => boolean = () => false): Promise<Express> {
  const { config, devInbox, log, messages, metrics, checks, refusesPaid } = core;
  const app = express();
  app.locals.errorsUrl = `${publicUrl(config)}/docs/errors`;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY);
  app.use(createRequestLog(log, metrics));
  if (config.TRUST_PROXY === false) app.use(warnAboutProxy(log));
  const headers = securityHeaders(config.BASE_URL);
  app.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  if (config.ROLE !== 'worker') await mountClientRoutes(app, core);
  else app.use('/api/v1', noStore, notFound);
  app.get('/.well-known/jwks.json', jwksRoute(core.sessions));
  app.use(healthRoutes(checks, refusesPaid, stopping));
  app.use(metricsRoutes(config, metrics, messages.backlog, refusesPaid));
  app.use(guidesRoutes(publicUrl(config)));
  app.use(docsRoutes(publicUrl(config)));
  app.use(widgetRoutes());
  app.use(brandingRoutes(core.profiles));
  const dashboardApplication = async () => (await core.applications.find(DASHBOARD_APP_KEY))?.id;
  if (devInbox) app.use('/dev', devInboxRoutes(devInbox, dashboardApplication));
  app.use(notFound, createErrorHandler(log, { httpStatus: true }));
  return app;
}
