/** Serves the pages for who is not signed in, and takes down how far they have come. */
import type { Request, RequestHandler, Response } from 'express';
import { MINUTE, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import { SIGN_IN_MINUTES } from '../../platform/limits.js';
import type { PersonSessions } from '../../modules/people/person-sessions.js';
import type { Attempt, EntranceRoute } from '../entrance.js';
import { errorPage } from '../error-pages.js';
import { renderBare } from '../render.js';
import { bodyOf, texts, type Browser } from './browser.js';
import { formTokenOf, isOwnForm } from './form-token.js';

const CONTEXT = 'dashboard-sign-in';

type Kept = Attempt & { readonly until: number };

export interface EntranceDependencies {
  readonly browser: Browser;
  readonly keyring: Keyring;
  readonly sessions: PersonSessions;
  readonly clock: Clock;
}

export function createEntranceHandler({ browser, keyring, sessions, clock }: EntranceDependencies) {
  /** The attempt of this browser; a new one where there is none that is fresh. */
  function attemptOf(request: Request): Attempt {
    const sealed = browser.read(request, 'sign-in');
    try {
      const kept = JSON.parse(keyring.open(CONTEXT, sealed ?? '')) as Kept;
      if (kept.until > clock.now()) return kept;
    } catch {
      // None, or not one of ours.
    }
    return { id: random.base64url(16) };
  }

  function keep(request: Request, response: Response, attempt: Attempt): void {
    const kept: Kept = { ...attempt, until: clock.now() + SIGN_IN_MINUTES * MINUTE };
    const value = keyring.seal(CONTEXT, JSON.stringify(kept));
    browser.keep(request, response, { name: 'sign-in', value, maxAgeSeconds: SIGN_IN_MINUTES * 60 });
  }

  return (route: EntranceRoute): RequestHandler =>
    async (request, response) => {
      const attempt = attemptOf(request);
      const body = bodyOf(request);
      if (route.method === 'post' && !isOwnForm(keyring, attempt.id, browser.posted(request, body)))
        return errorPage(response, 'form');
      const session = await sessions.find(browser.read(request, 'session') ?? '');
      const answer = await route.answer({
        query: texts(request.query),
        body,
        attempt,
        source: sourceKey(withoutPort(request.ip ?? '')),
        requestId: requestIdOf(response),
        person: session?.person,
      });
      if (answer.kind === 'enter') {
        browser.keep(request, response, { name: 'sign-in' });
        browser.keep(request, response, { name: 'session', value: await sessions.open(answer.person) });
        if (session) await sessions.end(session);
        return response.redirect(303, answer.to);
      }
      keep(request, response, { ...attempt, ...answer.progress });
      if (answer.kind === 'lead') return response.redirect(303, answer.to);
      const html = renderBare(answer.title, answer.content, formTokenOf(keyring, attempt.id));
      response.status(answer.status).type('html').send(html);
    };
}
