/** `/demo/two-factor`: a demo shop page with the widget and a log of its events. Accepts only local requests. */
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import { onlyLocalRequests } from '../../platform/http/local-requests.js';
import { DEMO_NAME } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';

const ASSETS = fileURLToPath(new URL('assets/demo/', BACKEND_FOLDER));

/** Content Security Policy of the demo page. Strict, to show that the widget works with a strict policy. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const setHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-store' });
  next();
};

const sendAsset =
  (file: string): RequestHandler =>
  (_request, response) =>
    response.sendFile(file, { root: ASSETS, cacheControl: false });

export function demoRoutes(applications: Pick<ApplicationsService, 'list'>): Router {
  const router = Router({ strict: true });
  router.use(setHeaders, onlyLocalRequests);
  router.get('/two-factor', sendAsset('two-factor.html'));
  for (const file of ['two-factor.css', 'two-factor.js', 'icon.svg']) router.get(`/${file}`, sendAsset(file));
  // An App Key is not a secret: every page with the widget contains it.
  router.get('/two-factor.json', async (_request, response) => {
    const active = (await applications.list()).filter(
      ({ status, deleteAt }) => status === 'active' && deleteAt === null,
    );
    const application = active.find(({ name }) => name === DEMO_NAME) ?? active[0];
    response.json({ appKey: application?.appKey ?? '' });
  });
  return router;
}
