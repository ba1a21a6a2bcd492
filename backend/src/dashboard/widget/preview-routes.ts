/**
 * `/dashboard/widget-preview`: the frame in which the dashboard shows the widget. It holds nothing of anybody, so everybody
 * may have it; only the dashboard's own pages may frame it, and in it nothing has an origin or can call anywhere.
 */
import { Router, type Response } from 'express';
import { ASSETS, type Asset } from '../assets.js';
import { previewSamples, SAMPLE_PERSON } from './preview-samples.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // An application's logo.
  'img-src https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // As the frame has it, for who opens the page by itself.
  'sandbox allow-scripts',
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const FILES = [ASSETS.previewScript, ASSETS.previewStyle];

const WIDGET = '/js/v1/auth-2fasdk.js';

/** `<` cannot end the element that the samples are in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

async function page(): Promise<string> {
  const samples = inScript(await previewSamples());
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Preview of the widget</title>
    <link rel="stylesheet" href="/dashboard${ASSETS.previewStyle.path}" />
  </head>
  <body>
    <script type="application/json" id="samples" data-script="${WIDGET}" data-person="${SAMPLE_PERSON}">${samples}</script>
    <script src="/dashboard${ASSETS.previewScript.path}"></script>
  </body>
</html>
`;
}

/** What has no origin may load it only when everybody may. */
function sendFile(response: Response, { type, body }: Asset): void {
  response.set('Cross-Origin-Resource-Policy', 'cross-origin').type(type).send(body);
}

/** Routes for the dashboard to mount. */
export function previewRoutes(): Router {
  const router = Router();
  let made: Promise<string> | undefined;
  router.get('/widget-preview', async (_request, response) => {
    made ??= page();
    response.set(HEADERS).type('html').send(await made);
  });
  for (const file of FILES) router.get(file.path, (_request, response) => sendFile(response, file));
  return router;
}
