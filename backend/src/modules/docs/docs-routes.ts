/**
 * Routes for the start page, the documentation at `/docs`, and `/openapi.json`. Pages need no scripts, and load nothing
 * from other hosts. The guides are also served as Markdown, and with the files that they link to, at their paths in the
 * repository, so that links between them work.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { Router, type Response } from 'express';
import { withOperatorCommand } from '../../platform/config/operator-command.js';
import { contract } from '../../platform/contract/contract.js';
import { REPOSITORY } from '../../platform/folders.js';
import { ERRORS_MARKDOWN } from './errors-page.js';
import { linkedFiles, readGuides } from './guides.js';
import { ICON, ICON_PATH, PAGE_POLICY, STYLE, STYLE_PATH } from './layout.js';
import { llmsText } from './llms.js';
import { SAMPLE_URL } from './markdown.js';
import { createSite } from './site.js';
import { START_PAGE } from './start-page.js';

const IMAGE = /\.(png|svg)$/;

function sendPage(response: Response, html: string): void {
  response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(html);
}

/** `url`: the service's public URL, which replaces {@link SAMPLE_URL} in the examples. */
export function docsRoutes(url: string): Router {
  const router = Router();
  const guides = readGuides();
  const files = linkedFiles(guides);
  const index = withOperatorCommand(llmsText(guides));
  const htmlOf = createSite(url, guides, new Set(files));

  router.get('/openapi.json', (_request, response) => void response.json(contract));
  router.get('/llms.txt', (_request, response) => void response.type('text/plain').send(index));
  // Programs that expect JSON get the same error as for unknown paths, which contains a link to the documentation.
  router.get('/', (request, response, next) =>
    request.accepts(['html', 'json']) === 'html' ? sendPage(response, START_PAGE) : next(),
  );
  for (const { file, text } of guides)
    router.get(
      `/${file}`,
      (_request, response) =>
        void response.type('text/markdown').send(withOperatorCommand(text.replaceAll(SAMPLE_URL, url))),
    );
  router.get(['/docs', '/docs/{*path}'], (request, response, next) => {
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
  for (const file of files) {
    const path = fileURLToPath(new URL(file, REPOSITORY));
    if (IMAGE.test(file)) {
      router.use(`/${file}`, express.static(path, { maxAge: '1h' }));
      continue;
    }
    const text = readFileSync(path, 'utf8');
    router.get(`/${file}`, (_request, response) => void response.type('text/plain').send(text));
  }
  return router;
}
