/**
 * The dev inbox as a page and as JSON. It shows codes, so requests must be local or have a key; dashboard codes always
 * need the key.
 */
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
import { constantTimeEqual } from '../../platform/crypto.js';
import { onlyLocalRequests } from '../../platform/http/local-requests.js';
import type { DevInbox } from './dev-inbox.js';

const ASSETS = fileURLToPath(new URL('../../../assets/dev-inbox/', import.meta.url));

const PAGE_FILES = ['inbox.css', 'phone.css', 'mailbox.css', 'inbox.js'];

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Emails may use styles and inline images, but cannot run scripts or load anything. */
const MAIL_POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const PATHS = ['/inbox', '/inbox.json'];

/** `dashboardApplication` returns the id of the application whose messages are only shown with the key. */
export function devInboxRoutes(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): Router {
  const router = Router({ strict: true });
  router.use(PATHS, headers);
  if (!inbox.needsKey) router.use(PATHS, onlyLocalRequests);
  // Served without the key: these files contain no messages, and the page links to them without a key.
  for (const file of PAGE_FILES) router.get(`/inbox/${file}`, page(file));
  router.use(PATHS, checkKey(inbox, dashboardApplication));
  router.get('/inbox', page('inbox.html'));
  // Relative links on the page only work without a trailing slash.
  router.get('/inbox/', (request, response) => {
    const { pathname, search } = new URL(request.originalUrl, 'http://localhost');
    response.redirect(308, pathname.slice(0, -1) + search);
  });
  router.get('/inbox.json', list(inbox));
  router.get('/inbox/message/:id.html', mail(inbox));
  return router;
}

const headers: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': PAGE_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

/** Checks the key in the query string, which is not logged. A wrong key is rejected even if no key is required. */
function checkKey(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): RequestHandler {
  return async (request, response, next) => {
    const { key } = request.query;
    if (typeof key === 'string' && constantTimeEqual(key, inbox.key)) return next();
    if (key === undefined && !inbox.needsKey) {
      // A forgotten proxy could make this page public, and dashboard codes would give its readers owner access.
      response.locals.withheld = await dashboardApplication();
      return next();
    }
    response.status(404).type('text').send('Open the dev inbox at the address that Passbell printed at startup.\n');
  };
}

function page(file: string): RequestHandler {
  return (_request, response) => response.sendFile(file, { root: ASSETS, cacheControl: false });
}

function list(inbox: DevInbox): RequestHandler {
  return (request, response) => {
    const tag = `"${inbox.revision()}"`;
    response.set('ETag', tag);
    // Express would ignore the ETag because browsers send `Cache-Control: no-cache`.
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    const { to } = request.query;
    response.json(inbox.list(typeof to === 'string' ? to : undefined, response.locals.withheld));
  };
}

function mail(inbox: DevInbox): RequestHandler<{ id: string }> {
  return (request, response) => {
    const html = inbox.find(request.params.id, response.locals.withheld)?.html;
    if (!html) return void response.status(404).type('text').send('There is no such mail.\n');
    response.set('Content-Security-Policy', MAIL_POLICY).type('html').send(html);
  };
}
