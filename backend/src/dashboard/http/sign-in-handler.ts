/** Serves sign-in pages, and stores the sign-in progress in an encrypted cookie. */
import { browserNameOf } from '../../modules/notifications/device-info.js';
import { SESSION_HOURS, type PersonSessions } from '../../modules/people/person-sessions.js';
import type { SignIn } from '../../modules/people/sign-in.js';
import { finished } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import { MINUTE, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { isLocalRequest } from '../../platform/http/local-requests.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import { errorPage } from '../error-pages.js';
import { renderBare, renderBareFragment } from '../render.js';
import type { SignInProgress, SignInReply, SignInRoute } from '../sign-in-page.js';
import { bodyOf, stringValues, type Browser } from './browser.js';
import { formTokenOf, isOwnForm } from './form-token.js';
import { createKnownBrowsers } from './known-browsers.js';

/** Maximum time between two sign-in steps. */
const SIGN_IN_MINUTES = 30;

const SEAL_CONTEXT = 'dashboard-sign-in';

type StoredProgress = SignInProgress & { readonly until: number };

const isRecent = (step: { readonly at: number } | undefined, now: number): boolean =>
  step !== undefined && step.at + SIGN_IN_MINUTES * MINUTE > now;

export function createSignInHandler(
  browser: Browser,
  keyring: Keyring,
  sessions: PersonSessions,
  signIn: SignIn,
  clock: Clock,
  serviceUrlOf: (request: Request) => string,
) {
  const knownBrowsers = createKnownBrowsers(keyring, browser, clock);

  function progressOf(request: Request): SignInProgress {
    try {
      const sealed = browser.cookie(request, 'sign-in') ?? '';
      const { until, requested, verified, ...stored } = JSON.parse(
        keyring.open(SEAL_CONTEXT, sealed),
      ) as StoredProgress;
      const now = clock.now();
      // Opening further pages does not extend a step's lifetime, so a copied cookie cannot be used forever.
      if (until > now)
        return {
          ...stored,
          ...(isRecent(requested, now) ? { requested } : {}),
          ...(isRecent(verified, now) ? { verified } : {}),
        };
    } catch {
      // There is no cookie, or it was forged.
    }
    return { id: random.base64url(16) };
  }

  function storeProgress(request: Request, response: Response, progress: SignInProgress): void {
    const stored: StoredProgress = { ...progress, until: clock.now() + SIGN_IN_MINUTES * MINUTE };
    const value = keyring.seal(SEAL_CONTEXT, JSON.stringify(stored));
    browser.setCookie(request, response, 'sign-in', value, SIGN_IN_MINUTES * 60);
  }

  /** Opens a session, and sets a session cookie with the maximum session duration. */
  async function finish(
    request: Request,
    response: Response,
    source: string,
    { person, method }: Extract<SignInReply, { kind: 'signed-in' }>,
  ): Promise<void> {
    const isKnownBrowser = knownBrowsers.idFor(request, person.email) !== undefined;
    const browserName = browserNameOf(request.get('User-Agent') ?? '');
    const token = await signIn.open(person, { method, source, isKnownBrowser }, browserName);
    browser.clearCookie(request, response, 'sign-in');
    browser.setCookie(request, response, 'session', token, SESSION_HOURS * 3600);
    knownBrowsers.remember(request, response, person.email);
  }

  return (route: SignInRoute): RequestHandler =>
    async function handleSignIn(request, response) {
      const progress = progressOf(request);
      const body = bodyOf(request);
      const needsToken = route.method === 'post' && !route.isSignedLink;
      if (needsToken && !isOwnForm(keyring, progress.id, browser.postedForm(request, body)))
        return errorPage(request, response, 'form');
      const session = await sessions.find(browser.cookie(request, 'session') ?? '');
      const source = sourceKey(withoutPort(request.ip ?? ''));
      const reply = await route.handler({
        query: stringValues(request.query),
        body,
        progress,
        requestId: requestIdOf(response),
        serviceUrl: serviceUrlOf(request),
        isLocal: isLocalRequest(request),
        isKnownBrowser: knownBrowsers.hasPeople(request),
        person: session?.person,
        attemptOf: (email) => ({ email, source, knownBrowser: knownBrowsers.idFor(request, email) }),
      });
      const formToken = formTokenOf(keyring, progress.id);
      // Polling must not overwrite the progress that a form submitted at the same time stores.
      if (reply.kind === 'fragment') return response.type('html').send(renderBareFragment(reply.content, formToken));
      if (reply.kind === 'signed-in') {
        await finish(request, response, source, reply);
        if (session) await sessions.end(session);
        return response.redirect(303, reply.to);
      }
      storeProgress(request, response, { ...progress, ...reply.progress });
      if (reply.kind === 'redirect') {
        const { afterReply } = reply;
        if (afterReply) finished(response, () => afterReply());
        return response.redirect(303, reply.to);
      }
      response
        .status(reply.status)
        .type('html')
        .send(renderBare(reply.title, reply.content, formToken));
    };
}
