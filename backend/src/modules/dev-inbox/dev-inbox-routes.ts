/** The dev inbox as a page and as JSON. It shows codes, so it is for this machine only, or needs a key; codes for the dashboard always do. */
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

/** An email may contain styles and inline images. It runs no script and loads nothing. */
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

/** `dashboardApplication` returns the id of the application whose messages are only for readers with the key. */
export function devInboxRoutes(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): Router {
  const router = Router({ strict: true });
  router.use(PATHS, headers);
  if (!inbox.needsKey) router.use(PATHS, onlyLocalRequests);
  // They contain no messages, and the page's links to them have no key.
  for (const file of PAGE_FILES) router.get(`/inbox/${file}`, page(file));
  router.use(PATHS, checkKey(inbox, dashboardApplication));
  router.get('/inbox', page('inbox.html'));
  // The page's relative links need the URL without a slash.
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

/** The key is in the query string, which is not logged. A wrong key is rejected where none is needed, too. */
function checkKey(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): RequestHandler {
  return async (request, response, next) => {
    const { key } = request.query;
    if (typeof key === 'string' && constantTimeEqual(key, inbox.key)) return next();
    if (key === undefined && !inbox.needsKey) {
      // An unnoticed proxy can make this page public, and these codes would make its readers owners.
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
