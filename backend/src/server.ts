/** Creates the Express application with the API, the dashboard and the operator endpoints. */
import express, { type Express } from 'express';
import type { Core } from './core.js';
import { applicationsRoutes } from './modules/applications/applications-routes.js';
import { brandingRoutes } from './modules/applications/branding-routes.js';
import { createAuthentication } from './modules/applications/authentication.js';
import { codePagesRoutes, createCodePageRoutes } from './modules/code-pages/code-pages-routes.js';
import { incomingRoutes } from './modules/automations/incoming-routes.js';
import { downloadsRoutes } from './modules/docs/downloads-routes.js';
import { devInboxRoutes } from './modules/dev-inbox/dev-inbox-routes.js';
import { mcpRoutes } from './modules/mcp/mcp-routes.js';
import { manageRoutes } from './modules/manage/manage-routes.js';
import { callbacksRoutes } from './modules/messages/callbacks-routes.js';
import { messagesRoutes } from './modules/messages/messages-routes.js';
import { DASHBOARD_APP_KEY } from './modules/people/dashboard-application.js';
import { createDescribeDevice } from './modules/notifications/device-info.js';
import { notificationsRoutes } from './modules/notifications/notifications-routes.js';
import { otpRoutes } from './modules/otp/otp-routes.js';
import { discoveryRoute, jwksRoute, sessionsRoutes } from './modules/sessions/sessions-routes.js';
import { demoRoutes } from './modules/twofactor/demo-routes.js';
import { twoFactorRoutes } from './modules/twofactor/twofactor-routes.js';
import { createIdentityLimit, createWidgetAccess } from './modules/twofactor/widget-access.js';
import { widgetRoutes } from './modules/twofactor/widget-script-routes.js';
import { unsubscribeRoutes } from './modules/suppressions/unsubscribe-routes.js';
import { usageRoutes } from './modules/usage/usage-routes.js';
import { codeRequestsRoutes } from './modules/code-requests/code-requests-routes.js';
import type { EventBody, EventName } from './modules/webhooks/event.js';
import { webhooksRoutes } from './modules/webhooks/webhooks-routes.js';
import { publicCallbackBase, publicUrl } from './platform/config/config.js';
import { devInboxAccess } from './platform/config/exposure.js';
import { createFirstRun } from './dashboard/sign-in/first-run.js';
import { openGeo } from './platform/geo.js';
import { compressed } from './platform/http/compression.js';
import { apiHeaders, apiStatusOf, createErrorHandler, notFound } from './platform/http/envelope.js';
import { fontsRoute } from './platform/http/fonts-route.js';
import { healthRoutes } from './platform/http/health-routes.js';
import { isLocalRequest, warnAboutProxy } from './platform/http/local-requests.js';
import { metricsRoutes } from './platform/http/metrics-routes.js';
import { loadedOnFirstRequest } from './platform/http/loaded-on-first-request.js';
import { createRequestLog } from './platform/http/request-log.js';
import { securityTxtRoute } from './platform/http/security-txt.js';

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
  const {
    config,
    limiter,
    applications,
    fraud,
    messages,
    notifications,
    otp,
    sessions,
    suppressions,
    usage,
    webhooks,
  } = core;
  const authentication = createAuthentication(applications.service, applications.rejectedCallers, limiter);
  const widgetAccess = createWidgetAccess(applications.service, limiter, applications.rejectedCallers);
  const describeDevice = createDescribeDevice(await openGeo(config.GEOIP_DATABASE ?? []));
  const recentEvents = (applicationId: number, event: EventName): Promise<EventBody[]> => {
    if (event === 'otp.verified' || event === 'otp.locked' || event === 'otp.canceled')
      return otp.service.recentEvents(applicationId, event, RECENT_EVENTS);
    if (event === 'fraud.paused' || event === 'fraud.refused')
      return fraud.notices.recentEvents(applicationId, event, RECENT_EVENTS);
    if (event === 'recipient.opted_out' || event === 'recipient.opted_in')
      return suppressions.optOuts.recentEvents(applicationId, event === 'recipient.opted_out', RECENT_EVENTS);
    return messages.service.recentEvents(applicationId, event, RECENT_EVENTS);
  };
  return [
    applicationsRoutes({ authentication }),
    otpRoutes(authentication, otp.service, messages.lookup),
    createCodePageRoutes(authentication, core.codePages.service),
    notificationsRoutes(authentication, notifications.service, describeDevice),
    messagesRoutes(authentication, messages.service, messages.lookup, core.providers.routing.currency),
    usageRoutes(authentication, usage.service, core.clock),
    sessionsRoutes(authentication, sessions.service),
    webhooksRoutes(authentication, webhooks.service, recentEvents),
    twoFactorRoutes(authentication, widgetAccess, createIdentityLimit(limiter), core.twoFactor.service),
  ];
}

/** Mounts the routes for programs: the API, MCP, and the callbacks of vendors, identity servers and shops. */
async function mountApi(app: Express, core: Core): Promise<void> {
  const { config, log, clock, limiter, applications, automations, messages, otp, providers } = core;
  const { rejectedCallers } = applications;
  app.use('/api/v1/manage', apiHeaders, manageRoutes(core.manage, core.managementKeys.service, limiter, log));
  app.use('/mcp', apiHeaders, mcpRoutes(core.manage, core.managementKeys.service, limiter, log, publicUrl(config)));
  app.use(
    '/api/v1',
    apiHeaders,
    ...(await apiRoutes(core)),
    notFound,
    createErrorHandler(log, { statusOf: apiStatusOf }),
  );
  app.use(
    callbacksRoutes(
      providers.routing,
      providers.findMessageId,
      messages.service,
      messages.receiveInbound,
      log,
      publicCallbackBase(config),
    ),
  );
  app.use(
    codeRequestsRoutes({ applications: applications.service, rejectedCallers, limiter, otp: otp.service, clock, log }),
  );
  app.use(incomingRoutes({ automations: automations.service, limiter }));
}

function mountPages(app: Express, core: Core): void {
  const { config, limiter, applications } = core;
  const nameOf = async (id: number) => (await applications.service.byId(id))?.name;
  app.use(unsubscribeRoutes(core.suppressions.optOuts, nameOf));
  app.use(codePagesRoutes(core.codePages.service, applications.service.byId, limiter));
  const firstRun = createFirstRun(core);
  app.use(
    '/dashboard',
    loadedOnFirstRequest(async () => {
      const { dashboardRoutes } = await import('./dashboard/dashboard-routes.js');
      return dashboardRoutes(core, firstRun);
    }),
  );
  app.get(['/sign-in', '/login'], (_request, response) => response.redirect(303, '/dashboard/sign-in'));
  app.get('/', async (request, response, next) => {
    const isFirst = request.accepts(['html', 'json']) === 'html' && firstRun.isOnTime();
    if (!isFirst || !(await firstRun.isAllowed({ isLocal: isLocalRequest(request) }))) return next();
    response.set('Cache-Control', 'no-store').redirect(303, '/dashboard/start');
  });
  core.setWeeklyContent(async (person) => {
    const { createWeeklyContent } = await import('./dashboard/home/weekly-email.js');
    return createWeeklyContent(core)(person);
  });
  if (devInboxAccess(config) === 'local') app.use('/demo', demoRoutes(applications.service));
}

/** `stopping` returns true once the process is shutting down. From then on, the readiness check fails. */
export async function createServer(core: Core, stopping: () => boolean = () => false): Promise<Express> {
  const { config, devInbox, log, metrics, checks, applications, fraud, messages, providers, sessions } = core;
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
  const isWorker = config.ROLE === 'worker';
  if (isWorker) app.use('/api/v1', apiHeaders, notFound);
  else await mountApi(app, core);
  // After the API: its replies are never compressed, and the middleware would cost CPU time in each request.
  app.use(compressed());
  if (!isWorker) mountPages(app, core);
  app.get('/.well-known/jwks.json', jwksRoute(sessions.service));
  app.get('/.well-known/openid-configuration', discoveryRoute(config.BASE_URL));
  app.get('/.well-known/security.txt', securityTxtRoute(config.SECURITY_CONTACT, config.BASE_URL, core.clock));
  app.use(healthRoutes(checks, fraud.refusesPaid, stopping));
  app.use(
    metricsRoutes(config, metrics, messages.service.backlog, fraud.refusesPaid, providers.service.operatorsStates),
  );
  app.use('/fonts', fontsRoute());
  app.use(downloadsRoutes());
  app.use(widgetRoutes());
  app.use(brandingRoutes(applications.profiles));
  const dashboardApplication = async () => (await applications.service.find(DASHBOARD_APP_KEY))?.id;
  if (devInbox) app.use('/dev', devInboxRoutes(devInbox, dashboardApplication));
  const documentation = loadedOnFirstRequest(async () => {
    const { docsRoutes } = await import('./modules/docs/docs-routes.js');
    if (isWorker) return docsRoutes(publicUrl(config));
    const { errorPage } = await import('./dashboard/error-pages.js');
    const { PAGE_HEADERS } = await import('./dashboard/http/headers.js');
    return docsRoutes(publicUrl(config), (request, response) =>
      errorPage(request, response.set(PAGE_HEADERS), 'address'),
    );
  });
  app.use(documentation, notFound, createErrorHandler(log));
  return app;
}
