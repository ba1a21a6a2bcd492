/**
 * Routes for the start page, the documentation at `/docs`, and `/openapi.json`. Pages load nothing from other hosts,
 * and only the API explorer needs scripts.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router, type Response } from 'express';
import { contract } from '../contract/contract.js';
import { REPOSITORY } from '../folders.js';
import { imageFiles, readGuides } from './docs/guides.js';
import { ICON, ICON_PATH, PAGE_POLICY, STYLE, STYLE_PATH } from './docs/layout.js';
import { createSite } from './docs/site.js';
import { START_PAGE } from './docs/start-page.js';
import { ERRORS_MARKDOWN } from './errors-page.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Swagger UI, which sends requests from the browser. */
const EXPLORER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API explorer · Passbell</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="${ICON_PATH}">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/** Allows inline styles, which Swagger UI needs. */
const EXPLORER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function sendPage(response: Response, html: string, policy = PAGE_POLICY): void {
  response.set('Content-Security-Policy', policy).type('html').send(html);
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
    htmlOf ??= createSite(url, readGuides());
    const html = htmlOf(request.path.replace(/(?<=.)\/$/, ''));
    if (html === undefined) return next();
    sendPage(response, html);
  });
  router.get('/docs/explorer', (_request, response) => sendPage(response, EXPLORER_PAGE, EXPLORER_POLICY));
  router.get('/docs/errors.md', (_request, response) => void response.type('text/markdown').send(ERRORS_MARKDOWN));
  router.get('/docs/start.js', (_request, response) => void response.type('js').send(START_SCRIPT));
  router.get(STYLE_PATH, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(STYLE);
  });
  router.get(ICON_PATH, (_request, response) => void response.type('image/svg+xml').send(ICON));
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    router.use(`/docs/${file}`, express.static(join(swaggerUi, file), { maxAge: '1h' }));
  for (const file of imageFiles())
    router.use(`/${file}`, express.static(fileURLToPath(new URL(file, REPOSITORY)), { maxAge: '1h' }));
  return router;
}
