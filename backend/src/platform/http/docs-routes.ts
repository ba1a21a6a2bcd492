/**
 * Routes for the start page, the documentation at `/docs`, and `/openapi.json`. Pages need no scripts, and load nothing
 * from other hosts.
 */
import { fileURLToPath } from 'node:url';
import express, { Router, type Response } from 'express';
import { contract } from '../contract/contract.js';
import { REPOSITORY } from '../folders.js';
import { imageFiles, linkedFiles, readGuides } from './docs/guides.js';
import { ICON, ICON_PATH, PAGE_POLICY, STYLE, STYLE_PATH } from './docs/layout.js';
import { createSite } from './docs/site.js';
import { START_PAGE } from './docs/start-page.js';
import { ERRORS_MARKDOWN } from './errors-page.js';

function sendPage(response: Response, html: string): void {
  response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(html);
}

function openSite(url: string): ReturnType<typeof createSite> {
  const guides = readGuides();
  return createSite(url, guides, new Set([...imageFiles(), ...linkedFiles(guides)]));
}

/** `url`: the service's public URL, which the examples contain. */
export function docsRoutes(url: string): Router {
  const router = Router();
  router.get('/openapi.json', (_request, response) => void response.json(contract));
  // Programs that expect JSON get the same error as for unknown paths, which contains a link to the documentation.
  router.get('/', (request, response, next) =>
    request.accepts(['html', 'json']) === 'html' ? sendPage(response, START_PAGE) : next(),
  );
  // Created on the first request, because most processes never serve the documentation.
  let htmlOf: ReturnType<typeof createSite> | undefined;
  router.get(['/docs', '/docs/{*path}'], (request, response, next) => {
    htmlOf ??= openSite(url);
    const html = htmlOf(request.path.replace(/(?<=.)\/$/, ''));
    if (html === undefined) return next();
    sendPage(response, html);
  });
  // Earlier versions had Swagger UI at this address.
  router.get('/docs/explorer', (_request, response) => response.redirect(301, '/docs/api'));
  router.get('/docs/errors.md', (_request, response) => void response.type('text/markdown').send(ERRORS_MARKDOWN));
  router.get(STYLE_PATH, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(STYLE);
  });
  router.get(ICON_PATH, (_request, response) => void response.type('image/svg+xml').send(ICON));
  for (const file of imageFiles())
    router.use(`/${file}`, express.static(fileURLToPath(new URL(file, REPOSITORY)), { maxAge: '1h' }));
  return router;
}
