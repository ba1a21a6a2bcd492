/** The dev inbox as a page and as JSON. It shows codes, so it is reachable on this machine only. */
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
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

/** `anyHost`: accept any host name, not only loopback ones. */
export function devInboxRoutes(inbox: DevInbox, anyHost: boolean): Router {
  const router = Router({ strict: true });
  router.use('/inbox', headers);
  router.use('/inbox.json', headers);
  if (!anyHost) router.use(['/inbox', '/inbox.json'], onlyLoopbackHost);
  router.get('/inbox', page('inbox.html'));
  // The page's relative links need the URL without a slash.
  router.get('/inbox/', (request, response) => response.redirect(308, `${request.baseUrl}/inbox`));
  for (const file of PAGE_FILES) router.get(`/inbox/${file}`, page(file));
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

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Headers that proxies add. Behind a proxy, every caller seems to come from this machine. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Prevents DNS rebinding: a foreign page can resolve its own name to this machine, but the Host header still shows that name. */
const onlyLoopbackHost: RequestHandler = (request, response, next) => {
  const proxied = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  if (!proxied && LOOPBACK_HOST.test(request.headers.host ?? '')) return next();
  response.status(403).type('text').send('The dev inbox answers under localhost only, unless DEV_INBOX is "force".\n');
};

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
    response.json(inbox.list(typeof to === 'string' ? to : undefined));
  };
}

function mail(inbox: DevInbox): RequestHandler<{ id: string }> {
  return (request, response) => {
    const html = inbox.find(request.params.id)?.html;
    if (!html) return void response.status(404).type('text').send('There is no such mail.\n');
    response.set('Content-Security-Policy', MAIL_POLICY).type('html').send(html);
  };
}
