/**
 * Serves the dev inbox as a page and as JSON. The inbox shows codes, so requests must contain the key, or be local if
 * no key is required. Sign-in codes for the dashboard are shown only with the key.
 */
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
import { constantTimeEqual } from '../../platform/crypto.js';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import { onlyLocalRequests } from '../../platform/http/local-requests.js';
import type { DevInbox } from './dev-inbox.js';

const ASSETS = fileURLToPath(new URL('assets/dev-inbox/', BACKEND_FOLDER));

const PAGE_FILES = ['inbox.css', 'phone.css', 'mailbox.css', 'inbox.js'];

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Content Security Policy for emails. Allows styles, inline images and logos, but no scripts or external resources. */
const EMAIL_POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const INBOX_PATHS = ['/inbox', '/inbox.json'];

/** `dashboardApplication` returns the id of the dashboard application. Its messages are shown only with the key. */
export function devInboxRoutes(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): Router {
  const router = Router({ strict: true });
  router.use(INBOX_PATHS, setHeaders);
  if (!inbox.needsKey) router.use(INBOX_PATHS, onlyLocalRequests);
  // Served without the key: these files contain no messages, and the page links to them without a key.
  for (const file of PAGE_FILES) router.get(`/inbox/${file}`, sendAsset(file));
  router.use(INBOX_PATHS, checkKey(inbox, dashboardApplication));
  router.get('/inbox', sendAsset('inbox.html'));
  // Relative links on the page only work if its URL has no trailing slash.
  router.get('/inbox/', (request, response) => {
    const { pathname, search } = new URL(request.originalUrl, 'http://localhost');
    response.redirect(308, pathname.slice(0, -1) + search);
  });
  router.get('/inbox.json', listMessages(inbox));
  // Browsers send no DELETE request of another site without permission.
  router.delete('/inbox.json', (_request, response) => {
    inbox.clear(response.locals.withheld as number | undefined);
    response.status(204).end();
  });
  router.get('/inbox/message/:id.html', showEmail(inbox));
  return router;
}

const setHeaders: RequestHandler = (_request, response, next) => {
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

/** Checks the key in the query string, which is never logged. Rejects a wrong key even if no key is required. */
function checkKey(inbox: DevInbox, dashboardApplication: () => Promise<number | undefined>): RequestHandler {
  return async (request, response, next) => {
    const { key } = request.query;
    if (typeof key === 'string' && constantTimeEqual(key, inbox.key)) return next();
    if (key === undefined && !inbox.needsKey) {
      // Withholds sign-in codes for the dashboard: a misconfigured proxy could make the inbox public.
      response.locals.withheld = await dashboardApplication();
      return next();
    }
    response.status(404).type('text').send('Open the dev inbox at the address that Passbell printed at startup.\n');
  };
}

function sendAsset(file: string): RequestHandler {
  return (_request, response) => response.sendFile(file, { root: ASSETS, cacheControl: false });
}

function listMessages(inbox: DevInbox): RequestHandler {
  return (request, response) => {
    const tag = `"${inbox.revision()}"`;
    response.set('ETag', tag);
    // Express ignores `If-None-Match` in requests with `Cache-Control: no-cache`, which browsers send.
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    const { to } = request.query;
    response.json(inbox.list(typeof to === 'string' ? to : undefined, response.locals.withheld));
  };
}

function showEmail(inbox: DevInbox): RequestHandler<{ id: string }> {
  return (request, response) => {
    const html = inbox.find(request.params.id, response.locals.withheld)?.html;
    if (!html)
      return void response
        .status(404)
        .type('text')
        .send('This email is no longer in the inbox. It may have been deleted, or replaced by newer messages.\n');
    response.set('Content-Security-Policy', EMAIL_POLICY).type('html').send(html);
  };
}
