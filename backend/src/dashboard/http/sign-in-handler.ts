/** Serves sign-in pages, and stores the progress of the sign-in in an encrypted cookie. */
import type { Request, RequestHandler, Response } from 'express';
import { MINUTE, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import type { PersonSessions } from '../../modules/people/person-sessions.js';
import { errorPage } from '../error-pages.js';
import { renderBare } from '../render.js';
import type { SignInProgress, SignInRoute } from '../sign-in-page.js';
import { bodyOf, stringValues, type Browser } from './browser.js';
import { formTokenOf, isOwnForm } from './form-token.js';

/** Longest time between two steps of a sign-in. */
const SIGN_IN_MINUTES = 30;

const CONTEXT = 'dashboard-sign-in';

type StoredProgress = SignInProgress & { readonly until: number };

export function createSignInHandler(browser: Browser, keyring: Keyring, sessions: PersonSessions, clock: Clock) {
  function progressOf(request: Request): SignInProgress {
    try {
      const sealed = browser.cookie(request, 'sign-in') ?? '';
      const stored = JSON.parse(keyring.open(CONTEXT, sealed)) as StoredProgress;
      if (stored.until > clock.now()) return stored;
    } catch {
      // There is no cookie, or it was forged.
    }
    return { id: random.base64url(16) };
  }

  function storeProgress(request: Request, response: Response, progress: SignInProgress): void {
    const stored: StoredProgress = { ...progress, until: clock.now() + SIGN_IN_MINUTES * MINUTE };
    const value = keyring.seal(CONTEXT, JSON.stringify(stored));
    browser.setCookie(request, response, 'sign-in', value, SIGN_IN_MINUTES * 60);
  }

  return (route: SignInRoute): RequestHandler =>
    async function handleSignIn(request, response) {
      const progress = progressOf(request);
      const body = bodyOf(request);
      if (route.method === 'post' && !isOwnForm(keyring, progress.id, browser.postedForm(request, body)))
        return errorPage(response, 'form');
      const session = await sessions.find(browser.cookie(request, 'session') ?? '');
      const reply = await route.handler({
        query: stringValues(request.query),
        body,
        progress,
        source: sourceKey(withoutPort(request.ip ?? '')),
        requestId: requestIdOf(response),
        person: session?.person,
      });
      if (reply.kind === 'signed-in') {
        browser.clearCookie(request, response, 'sign-in');
        browser.setCookie(request, response, 'session', await sessions.open(reply.person));
        if (session) await sessions.end(session);
        return response.redirect(303, reply.to);
      }
      storeProgress(request, response, { ...progress, ...reply.progress });
      if (reply.kind === 'redirect') return response.redirect(303, reply.to);
      const html = renderBare(reply.title, reply.content, formTokenOf(keyring, progress.id));
      response.status(reply.status).type('html').send(html);
    };
}
