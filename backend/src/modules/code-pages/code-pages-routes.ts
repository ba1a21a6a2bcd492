/** `POST /auth/codepages` creates the page on which a person enters a code; `/code` is the page. */
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { reply } from '../../platform/http/envelope.js';
import { sourceKey } from '../../platform/http/source-address.js';
import { apiCall } from '../../platform/http/unknown-parameters.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Application } from '../applications/application.js';
import { applicationOf } from '../applications/authentication.js';
import { type Action, type CallbackReply, type CodePage, type EndPage, PROBLEM } from './code-page.js';
import type { CodePagesService } from './code-pages-service.js';
import { codePageHtml, endPageHtml, PAGE_POLICY } from './page-view.js';

/** A request contains one short form field. */
const BODY_LIMIT = '10kb';
/** Each view of a page calls the program that waits. A person needs a few views per minute. */
const VIEWS_PER_MINUTE = 120;

const pageParameters = createValidator<Schemas['CodePageRequest']>('CodePageRequest');

export function createCodePageRoutes(authentication: RequestHandler, pages: CodePagesService): Router {
  const router = Router();
  router.all('/auth/codepages', ...apiCall(authentication, 'CodePageRequest', 'POST'), async (request, response) => {
    const data = await pages.create(applicationOf(response), pageParameters(parametersOf(request)));
    const body: Schemas['CodePageReply'] = { success: true, message: 'page created', data };
    reply(response, body);
  });
  return router;
}

function actionOf(request: Request): Action {
  if (request.method !== 'POST') return { action: 'open' };
  const { code, resend, cancel } = (request.body ?? {}) as Record<string, unknown>;
  if (cancel !== undefined) return { action: 'cancel' };
  if (typeof resend === 'string') return { action: 'resend', ...(resend !== '' && { channel: resend }) };
  return { action: 'verify', code: String(code ?? '') };
}

export function codePagesRoutes(
  pages: CodePagesService,
  applicationById: (id: number) => Promise<Application | undefined>,
  limiter: Limiter,
): Router {
  const router = Router();

  /** Passes the action on, unless this source has opened too many pages. */
  async function submit(request: Request, page: CodePage): Promise<CallbackReply> {
    const windows = [{ limit: VIEWS_PER_MINUTE, seconds: 60 }];
    try {
      await limiter.take([{ key: `code-page:${sourceKey(request.ip ?? '')}`, code: 'BURST_LIMIT', windows }]);
    } catch (error) {
      if (error instanceof ApiError) return PROBLEM;
      throw error;
    }
    return pages.submit(page, actionOf(request));
  }

  async function showPage(request: Request, response: Response, application: Application, page: CodePage) {
    if (pages.isExpired(page)) return void response.send(endPageHtml(application, page, 'expired'));
    const outcome = await submit(request, page);
    // A redirect, so that the next page can be reloaded without submitting the form again.
    const open = (next: CodePage | EndPage) => response.redirect(303, pages.pathOf(next));
    const { applicationId, language } = page;
    switch (outcome.state) {
      case 'ended':
        // The time may have run out while the program checked the code.
        return void response.send(endPageHtml(application, page, pages.isExpired(page) ? 'expired' : 'ended'));
      case 'canceled':
        return open({ applicationId, language, end: 'canceled' });
      case 'verified':
        return open({ applicationId, language, end: 'verified', redirectUrl: outcome.redirectUrl });
      case 'waiting':
        if (outcome.callbackUrl !== undefined) return open(pages.continued(page, outcome.callbackUrl));
        response.send(codePageHtml(application, page, outcome, pages.now()));
    }
  }

  const handle: RequestHandler = async (request, response, next) => {
    const page = pages.pageOf(request.query.page);
    const application = page && (await applicationById(page.applicationId));
    if (!page || !application) return next();
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': PAGE_POLICY });
    response.type('html');
    if ('end' in page) return void response.send(endPageHtml(application, page, page.end));
    await showPage(request, response, application, page);
  };
  router.get('/code', handle);
  router.post('/code', express.urlencoded({ limit: BODY_LIMIT, extended: false }), handle);
  return router;
}
