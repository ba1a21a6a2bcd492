/** `/js/v1/auth-2fasdk.js`, the browser widget, for pages of any origin. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';

const FILE = fileURLToPath(new URL('../../../../widget/dist/auth-2fasdk.js', import.meta.url));

/** A browser asks again after this many seconds; the address stays the same when the script changes. */
const MAX_AGE_SECONDS = 300;

interface Script {
  readonly tag: string;
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

async function readScript(): Promise<Script> {
  const identity = await readFile(FILE);
  // Weak, since it is the same for every encoding.
  const tag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
  return { tag, bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity } };
}

function script(): RequestHandler {
  let read: Promise<Script> | undefined;
  return async (request, response) => {
    read ??= readScript();
    // What cannot be read now may be there the next time.
    read.catch(() => (read = undefined));
    const { tag, bodies } = await read;
    response.set({
      // Instead of the service's own "same-origin"; the other header is for pages that check the script's hash.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      ETag: tag,
      Vary: 'Accept-Encoding',
    });
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip') || 'identity';
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.type('text/javascript').send(bodies[encoding as keyof Script['bodies']]);
  };
}

export function widgetRoutes(): Router {
  const router = Router();
  router.get('/js/v1/auth-2fasdk.js', script());
  return router;
}
