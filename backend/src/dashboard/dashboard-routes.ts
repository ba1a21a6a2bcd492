/** `/dashboard`: lets people in, and sends them what the pages answer. */
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Keyring } from '../platform/crypto.js';
import { isDatabaseError } from '../platform/db/database-errors.js';
import { requestIdOf } from '../platform/http/request-log.js';
import { sourceKey, withoutPort } from '../platform/http/source-address.js';
import { BODY_LIMIT, USER_AGENT_LENGTH } from '../platform/limits.js';
import { describeError, type Log } from '../platform/log.js';
import type { PersonSession } from '../modules/people/person-sessions-store.js';
import { errorPage } from './error-pages.js';
import { ASSETS } from './http/assets.js';
import { bodyOf, createBrowser, lead, targetOf, texts } from './http/browser.js';
import { createEntranceHandler } from './http/entrance-handler.js';
import { createFlashes } from './http/flashes.js';
import { formTokenOf, isOwnForm } from './http/form-token.js';
import { HEADERS } from './http/headers.js';
import { send } from './http/send.js';
import { PageNotFound, type PageRoute, type Visit } from './page.js';
import { APPLICATION_NAVIGATION, NAVIGATION, PAGES } from './pages.js';
import type { Frame } from './render.js';
import { mayDo } from '../modules/access/rights.js';
import type { DashboardServices } from './services.js';
import { signInPages } from './sign-in/sign-in-pages.js';

export interface DashboardDependencies {
  readonly services: DashboardServices;
  readonly keyring: Keyring;
  readonly log: Log;
  /** The service's address as browsers see it, where it is set. */
  readonly baseUrl: string | undefined;
}

/** How long a browser keeps a file whose address names its content, in seconds. */
const ASSET_SECONDS = 31_536_000;

function assets(): Router {
  const router = Router();
  for (const { path, type, body, inFrames } of Object.values(ASSETS))
    router.get(path, (_request, response) => {
      if (inFrames) response.set('Cross-Origin-Resource-Policy', 'cross-origin');
      response.set('Cache-Control', `public, max-age=${ASSET_SECONDS}, immutable`).type(type).send(body);
    });
  return router;
}

function createErrorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof PageNotFound || error instanceof URIError) return void errorPage(response, 'absent');
    const status = Number((error as { status?: number }).status);
    if (status === 413) return void errorPage(response, 'size');
    // What cannot be read is no form of ours, and no failure either.
    if (status >= 400 && status < 500) return void errorPage(response, 'form');
    log.error({ err: describeError(error) }, 'page failed');
    errorPage(response, isDatabaseError(error) ? 'away' : 'failure');
  };
}

export function dashboardRoutes({ services, keyring, log, baseUrl }: DashboardDependencies): Router {
  const browser = createBrowser(baseUrl);
  const flashes = createFlashes(keyring, browser);
  const routes = PAGES.flatMap((pages) => pages(services));
  const shown = new Set(routes.filter(({ method }) => method === 'get').map(({ path }) => path));
  const frameFor = (visit: Visit): Frame => ({
    navigation: NAVIGATION.filter(({ path, right }) => shown.has(path) && visit.may(right)),
    tabs: APPLICATION_NAVIGATION.filter(
      ({ path, right }) => shown.has(`/applications/:appKey${path}`) && visit.may(right),
    ),
  });

  function visitOf(request: Request, response: Response, session: PersonSession): Visit {
    const { person, tokenHash } = session;
    const target = targetOf(request);
    return {
      person,
      session,
      params: texts(request.params),
      query: texts(request.query),
      body: bodyOf(request),
      path: `${request.baseUrl}${request.path}`,
      target,
      formToken: formTokenOf(keyring, tokenHash),
      flash: request.method === 'GET' && target === undefined ? flashes.take(request, response, session) : {},
      requestId: requestIdOf(response),
      serviceUrl: baseUrl ?? `${request.protocol}://${request.headers.host ?? ''}`,
      source: sourceKey(withoutPort(request.ip ?? '')),
      userAgent: (request.get('User-Agent') ?? '').slice(0, USER_AGENT_LENGTH),
      may: (right) => mayDo(person.role, right),
    };
  }

  const signInFor = ({ method, originalUrl }: Request): string =>
    `/dashboard/sign-in${method === 'GET' ? `?next=${encodeURIComponent(originalUrl)}` : ''}`;

  const handle =
    (route: PageRoute): RequestHandler =>
    async (request, response) => {
      const session = await services.sessions.find(browser.read(request, 'session') ?? '');
      if (!session) return lead(request, response, signInFor(request));
      const visit = visitOf(request, response, session);
      if (route.method === 'post' && !isOwnForm(keyring, session.tokenHash, browser.posted(request, visit.body)))
        return errorPage(response, 'form');
      const application = route.ofApplication
        ? await services.applications.ofAccountWith(session.person.accountId, visit.params.appKey!)
        : undefined;
      // Before rights: what is not there is not there, whoever asks.
      if (route.ofApplication && !application) throw new PageNotFound();
      if (!visit.may(route.right)) return errorPage(response, 'right');
      const asked = application ? { ...visit, application } : visit;
      const answer = await route.answer(asked as never);
      if (answer.kind !== 'redirect') return send(response, frameFor(visit), asked, answer);
      flashes.leave(request, response, session, answer.flash);
      lead(request, response, answer.to);
    };

  const router = Router({ strict: true });
  router.use((_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  router.use(assets());
  router.use(express.urlencoded({ extended: false, limit: BODY_LIMIT }));
  router.get('/', (_request, response) => response.redirect(303, '/dashboard/applications'));
  const atEntrance = createEntranceHandler({ browser, keyring, sessions: services.sessions, clock: services.clock });
  for (const route of signInPages(services)) router[route.method](route.path, atEntrance(route));
  for (const route of routes) router[route.method](route.path, handle(route));
  router.use((_request, response) => void errorPage(response, 'absent'));
  router.use(createErrorHandler(log));
  return router;
}
