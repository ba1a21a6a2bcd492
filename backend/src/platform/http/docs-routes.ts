/** Routes for `/openapi.json`, and for the API documentation at `/docs`, which loads nothing from other hosts. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { Router } from 'express';
import { contract } from '../contract/contract.js';
import { ERRORS_PAGE } from './errors-page.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passbell API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/** Allows inline styles, which Swagger UI and the list of errors need. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function docsRoutes(): Router {
  const router = Router();
  router.get('/openapi.json', (_request, response) => void response.json(contract));
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', CSP).type('html').send(DOCS_PAGE);
  });
  router.get('/docs/errors', (_request, response) => {
    response.set('Content-Security-Policy', CSP).type('html').send(ERRORS_PAGE);
  });
  router.get('/docs/start.js', (_request, response) => void response.type('js').send(START_SCRIPT));
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
    router.use(`/docs/${file}`, express.static(join(swaggerUi, file), { maxAge: '1h' }));
  return router;
}
