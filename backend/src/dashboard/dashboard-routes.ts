/** Routes below `/dashboard`: authenticate people, and serve the dashboard's pages and assets. */
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Core } from '../core.js';
import { CHANNELS } from '../platform/contract/channels.js';
import { isDatabaseError } from '../platform/db/database-errors.js';
import { BODY_LIMIT } from '../platform/http/envelope.js';
import { requestIdOf } from '../platform/http/request-log.js';
import { sourceKey, withoutPort } from '../platform/http/source-address.js';
import { describeError } from '../platform/log.js';
import { actorOf, ForbiddenError } from '../modules/access/actor.js';
import type { Right } from '../modules/access/rights.js';
import type { Application } from '../modules/applications/application.js';
import type { PersonSession } from '../modules/people/person.js';
import { settingsPath } from './applications/parts.js';
import { createConfirmationCheck } from './confirmation/confirmation-check.js';
import { errorPage, errorReply, type ErrorKind } from './error-pages.js';
import { ASSETS } from './http/assets.js';
import { bodyOf, createBrowser, redirectBrowser, stringValues, targetOf, type Browser } from './http/browser.js';
import { createFlashes } from './http/flashes.js';
import { createFormSecrets } from './http/form-secrets.js';
import { formTokenOf, isOwnForm } from './http/form-token.js';
import { PAGE_HEADERS } from './http/headers.js';
import { send } from './http/send.js';
import { createSignInHandler } from './http/sign-in-handler.js';
import { PageNotFound, redirect } from './page.js';
import type { ApplicationVisit, Change, PageReply, PageRoute, Visit } from './page.js';
import { APPLICATION_NAVIGATION, NAVIGATION, shownGroups } from './navigation.js';
import { withNumbersOf } from './number-formats.js';
import { createPages } from './pages.js';
import type { FirstRun } from './sign-in/first-run.js';
import { signInPages } from './sign-in/sign-in-pages.js';
import type { Frame } from './render.js';

/** How long a browser remembers the application that was visited last. */
const APPLICATION_SECONDS = 90 * 86_400;

/** How long browsers cache an asset: one year, because its URL contains a content hash. */
const ASSET_SECONDS = 31_536_000;

const NO_FRAME: Frame = {
  navigation: [],
  applicationNavigation: [],
  applications: [],
  lastApplication: undefined,
  testMode: false,
};

function assetRoutes(): Router {
  const router = Router();
  for (const { path, type, body, inFrames } of Object.values(ASSETS))
    router.get(path, (_request, response) => {
      if (inFrames) response.set('Cross-Origin-Resource-Policy', 'cross-origin');
      response.set('Cache-Control', `public, max-age=${ASSET_SECONDS}, immutable`).type(type).send(body);
    });
  return router;
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof PageNotFound || error instanceof URIError) return 'absent';
  if (error instanceof ForbiddenError) return 'right';
  const status = Number((error as { status?: number }).status);
  if (status === 413) return 'size';
  if (status >= 400 && status < 500) return 'form';
  return isDatabaseError(error) ? 'away' : 'failure';
}

/** In a deleted application, people can only view pages. */
function visitTo(application: Application, visit: Visit): ApplicationVisit {
  const mayView = (right: Right) => right === 'read' && visit.may(right);
  return { ...visit, application, may: application.deleteAt === null ? visit.may : mayView };
}

/** Returns the reply to a change of a deleted application; undefined if the page may be used. */
function restoreFirst({ method, right, changesDeleted }: PageRoute, application?: Application): PageReply | undefined {
  if (application === undefined || application.deleteAt === null) return undefined;
  if (method === 'get' || right === 'read' || changesDeleted) return undefined;
  const problem = `Nothing was changed, because ${application.name} was deleted. Restore it first.`;
  return redirect(settingsPath(application, 'delete'), { problem });
}

/** After signing in, the address of a form leads to its page. */
const signInPathFor = ({ originalUrl }: Request): string =>
  `/dashboard/sign-in?next=${encodeURIComponent(originalUrl)}`;

type ServiceUrlOf = (request: Request) => string;

function createPageHandler(
  { clock, keyring, applications, people, providers, devInbox }: Core,
  browser: Browser,
  serviceUrlOf: ServiceUrlOf,
) {
  const flashes = createFlashes(keyring, browser);
  const secrets = createFormSecrets(keyring);
  const askForConfirmation = createConfirmationCheck(people.confirmation, people.passkeys, people.signIn);

  async function visitOf(request: Request, response: Response, session: PersonSession): Promise<Visit> {
    const { person, tokenHash } = session;
    const target = targetOf(request);
    const actor = actorOf(person);
    const sealedBody = secrets.seal(bodyOf(request), tokenHash);
    return {
      person,
      actor,
      session,
      params: stringValues(request.params),
      query: stringValues(request.query),
      body: secrets.open(sealedBody, tokenHash),
      sealedBody,
      path: `${request.baseUrl}${request.path}`,
      now: clock.now(),
      timeZone: await applications.profiles.timeZoneOf(person.accountId),
      target,
      formToken: formTokenOf(keyring, tokenHash),
      flash: request.method === 'GET' && target === undefined ? flashes.take(request, response, session) : {},
      requestId: requestIdOf(response),
      source: sourceKey(withoutPort(request.ip ?? '')),
      serviceUrl: serviceUrlOf(request),
      lastAppKey: browser.cookie(request, 'application'),
      mayHaveProviders: await providers.service.isAllowed(person.accountId),
      inboxPath: devInbox && !devInbox.needsKey ? '/dev/inbox' : undefined,
      may: actor.may,
    };
  }

  async function frameOf({ may, person, lastAppKey, mayHaveProviders }: Visit): Promise<Frame> {
    const { accountId } = person;
    const all = await applications.service.listInAccount(accountId);
    return {
      applications: all,
      lastApplication: all.length === 1 ? all[0] : all.find(({ appKey }) => appKey === lastAppKey),
      testMode: CHANNELS.every((channel) => providers.routing.isFree({ accountId }, channel)),
      navigation: shownGroups(NAVIGATION, may, mayHaveProviders),
      applicationNavigation: shownGroups(APPLICATION_NAVIGATION, may, mayHaveProviders),
    };
  }

  const findSession = (request: Request) => people.sessions.find(browser.cookie(request, 'session') ?? '');

  /** Shows an error: with navigation, if the person is signed in and the database responds. */
  async function showError(request: Request, response: Response, kind: ErrorKind): Promise<void> {
    try {
      const session = kind === 'away' ? undefined : await findSession(request);
      if (!session) return errorPage(request, response, kind);
      const visit = await visitOf(request, response, session);
      const reply = errorReply(response, kind, session.person);
      await send(response, await frameOf(visit), visit, reply);
    } catch (failure) {
      errorPage(request, response, kindOf(failure));
    }
  }

  /** Makes a change, or returns the page that asks the person to confirm their identity first. */
  async function confirmed({ needsConfirmation }: PageRoute, visit: Visit, change: Change): Promise<PageReply> {
    const confirmationPage = needsConfirmation ? await askForConfirmation(visit) : undefined;
    return confirmationPage ?? change();
  }

  const createHandler = (route: PageRoute): RequestHandler =>
    async function handlePage(request, response) {
      const session = await findSession(request);
      if (!session) return redirectBrowser(request, response, signInPathFor(request));
      const visit = await visitOf(request, response, session);
      if (route.method === 'post' && !isOwnForm(keyring, session.tokenHash, browser.postedForm(request, visit.body)))
        return showError(request, response, 'form');
      const application = route.isForApplication
        ? await applications.service.findInAccount(session.person.accountId, visit.params.appKey!)
        : undefined;
      // Checks the application before the person's right, so that the reply does not reveal whether the application
      // exists in another account.
      if (route.isForApplication && !application) throw new PageNotFound();
      if (!visit.may(route.right)) throw new ForbiddenError();
      const fullVisit = application ? visitTo(application, visit) : visit;
      const checked = restoreFirst(route, application) ?? (await route.check(fullVisit as never));
      // The bar that saves several forms checks all of them first.
      if (typeof checked === 'function' && request.get('X-Check-Only')) return void response.sendStatus(204);
      const reply = typeof checked === 'function' ? await confirmed(route, visit, checked) : checked;
      if (reply.kind !== 'redirect') {
        const frame = reply.kind === 'page' ? await frameOf(visit) : NO_FRAME;
        if (application && frame.applications.length > 1)
          browser.setCookie(request, response, 'application', application.appKey, APPLICATION_SECONDS);
        return send(response, frame, fullVisit, reply);
      }
      flashes.store(request, response, session, reply.flash);
      redirectBrowser(request, response, reply.to);
    };

  return { createHandler, showError };
}

/**
 * Redirects GET requests for the address of a form to the page that contains the form: after a reply with errors, the
 * address bar shows the form's address.
 */
function formRedirects(pages: readonly PageRoute[]): Router {
  const router = Router({ strict: true });
  const shown = new Set(pages.filter(({ method }) => method === 'get').map(({ path }) => path));
  for (const { path } of pages) {
    let page = path;
    while (page !== '' && !shown.has(page)) page = page.slice(0, page.lastIndexOf('/'));
    if (page === '' || page === path) continue;
    const depth = page.split('/').length;
    router.get(path, (request, response) =>
      response.redirect(303, `/dashboard${request.path.split('/').slice(0, depth).join('/')}`),
    );
  }
  return router;
}

export function dashboardRoutes(core: Core, firstRun: FirstRun): Router {
  const { clock, keyring, log, people } = core;
  const baseUrl = core.config.BASE_URL;
  const browser = createBrowser(baseUrl);
  const serviceUrlOf: ServiceUrlOf = ({ protocol, headers }) => baseUrl ?? `${protocol}://${headers.host ?? ''}`;
  const { createHandler, showError } = createPageHandler(core, browser, serviceUrlOf);
  const signInHandler = createSignInHandler(browser, keyring, people.sessions, people.signIn, clock, serviceUrlOf);

  const pages = createPages(core);
  const formParser = (limit: number | string) => express.urlencoded({ extended: false, limit });

  const requireSession: RequestHandler = async (request, response, next) => {
    if (await people.sessions.find(browser.cookie(request, 'session') ?? '')) return next();
    redirectBrowser(request, response, signInPathFor(request));
  };

  const router = Router({ strict: true });
  router.use((_request, response, next) => {
    response.set(PAGE_HEADERS);
    next();
  });
  router.use(assetRoutes());
  router.use((request, _response, next) => withNumbersOf(request.acceptsLanguages()[0], next));
  // Large forms are read only from people who have signed in.
  for (const { path, bodyLimit } of pages)
    if (bodyLimit !== undefined) router.post(path, requireSession, formParser(bodyLimit));
  router.use(formParser(BODY_LIMIT));
  router.get('/', (_request, response) => response.redirect(303, '/dashboard/home'));
  for (const route of signInPages(core, firstRun)) router[route.method](route.path, signInHandler(route));
  for (const route of pages) router[route.method](route.path, createHandler(route));
  router.use(formRedirects(pages));
  router.use((request, response) => showError(request, response, 'absent'));
  router.use(((error, request, response, next) => {
    if (response.headersSent) return next(error);
    const kind = kindOf(error);
    if (kind === 'away' || kind === 'failure')
      log.error({ err: describeError(error), requestId: requestIdOf(response) }, 'page failed');
    return showError(request, response, kind);
  }) as ErrorRequestHandler);
  return router;
}
