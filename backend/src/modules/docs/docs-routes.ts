/**
 * Routes for the start page, the documentation at `/docs`, `/openapi.json`, and the page for unknown addresses. Pages
 * work without scripts, and load nothing from other hosts. Each page is also served as Markdown; the guides and the
 * files that they link to have the same paths as in the repository, so that links between them work.
 */
import { fileURLToPath } from 'node:url';
import express, { Router, type RequestHandler, type Response } from 'express';
import { withOperatorCommand } from '../../platform/config/operator-command.js';
import { contract, manageContract } from '../../platform/contract/contract.js';
import { REPOSITORY } from '../../platform/folders.js';
import { linkedFiles, readGuides } from './guides.js';
import { documentHtml, ICON, ICON_PATH, PAGE_POLICY, SCRIPT, SEARCH_PATH, STYLE } from './layout.js';
import { llmsText } from './llms.js';
import { createSite } from './site.js';
import { render } from './templates.js';

const IMAGE = /\.(png|svg)$/;

/** Lets browsers ask for the page again each time, because its assets change with the version. */
const PUBLIC = { 'Cache-Control': 'public, no-cache' };
const CACHED_FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

function sendPage(response: Response, html: string): void {
  response.set(PUBLIC).set('Content-Security-Policy', PAGE_POLICY).type('html').send(html);
}

/** Programs get JSON: those that request a path of the API, and those that accept it as readily as HTML. */
const wantsPage: (request: express.Request) => boolean = (request) =>
  ['GET', 'HEAD'].includes(request.method) &&
  !/^\/api(\/|$)/i.test(request.path) &&
  request.accepts(['json', 'html']) === 'html';

/**
 * Mounted after all other routes. `url`: the service's public URL, which replaces the sample URL in the examples.
 * `showNotFound` replies to requests for pages outside the documentation that do not exist.
 */
export function docsRoutes(url: string, showNotFound?: (request: express.Request, response: Response) => void): Router {
  const router = Router();
  const guides = readGuides();
  const files = linkedFiles(guides);
  const index = withOperatorCommand(llmsText(guides));
  const startPage = documentHtml('Passbell', render('start', { icon: ICON_PATH }));
  const site = createSite(url, guides, new Set(files));
  const sendAs = (type: string, read: () => string, headers = PUBLIC): RequestHandler =>
    function sendText(_request, response) {
      response.set(headers).type(type).send(read());
    };

  router.get('/openapi.json', (_request, response) => void response.set(PUBLIC).json(contract));
  router.get('/manage.json', (_request, response) => void response.set(PUBLIC).json(manageContract));
  router.get(
    '/llms.txt',
    sendAs('text/plain', () => index),
  );
  // Programs that expect JSON get the same error as for unknown paths, which contains a link to the documentation.
  router.get('/', (request, response, next) =>
    request.accepts(['html', 'json']) === 'html' ? sendPage(response, startPage) : next(),
  );
  for (const { markdownPath, markdown } of site.pages)
    if (markdownPath !== undefined && markdown) router.get(markdownPath, sendAs('text/markdown', markdown));
  router.get(SEARCH_PATH, async ({ query: { q } }, response) =>
    sendPage(response, await site.searchPage(typeof q === 'string' ? q : '')),
  );
  router.get(['/docs', '/docs/{*path}'], (request, response, next) => {
    const html = site.htmlOf(request.path.replace(/(?<=.)\/$/, ''));
    if (html === undefined) return next();
    sendPage(response, html);
  });
  // Earlier versions had Swagger UI at this address.
  router.get('/docs/explorer', (_request, response) => response.redirect(301, '/docs/api'));
  router.get(
    STYLE.path,
    sendAs('css', () => STYLE.body, CACHED_FOREVER),
  );
  router.get(
    SCRIPT.path,
    sendAs('text/javascript', () => SCRIPT.body, CACHED_FOREVER),
  );
  router.get(
    ICON_PATH,
    sendAs('image/svg+xml', () => ICON),
  );
  for (const file of files) {
    const setHeaders = (response: Response) => void (IMAGE.test(file) || response.type('text/plain'));
    const path = fileURLToPath(new URL(file, REPOSITORY));
    router.use(`/${file}`, express.static(path, { maxAge: '1h', setHeaders }));
  }
  router.use((request, response, next) => {
    if (!wantsPage(request)) return next();
    response.locals.code = 'NOT_FOUND';
    if (showNotFound && !/^\/docs(\/|$)/.test(request.path)) return showNotFound(request, response);
    sendPage(response.status(404), site.notFoundPage);
  });
  return router;
}
