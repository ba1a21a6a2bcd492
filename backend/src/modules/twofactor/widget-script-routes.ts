/** `/js/v1/auth-2fasdk.js`, the browser widget, for pages of any origin. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import { REPOSITORY } from '../../platform/folders.js';

const SCRIPT_FILE = new URL('widget/dist/auth-2fasdk.js', REPOSITORY);

async function readScript() {
  const identity = await readFile(SCRIPT_FILE);
  // A weak ETag, because the tag is the same for every content encoding.
  const tag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
  return { tag, bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity } };
}

function serveScript(): RequestHandler {
  let script: ReturnType<typeof readScript> | undefined;
  return async (request, response) => {
    script ??= readScript();
    // After an error, the next request reads the file again.
    script.catch(() => (script = undefined));
    const { tag, bodies } = await script;
    response.set({
      // Overrides the default `same-origin`. Pages that use subresource integrity need Access-Control-Allow-Origin.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      // A short time, because the URL stays the same when the script changes.
      'Cache-Control': 'public, max-age=300',
      ETag: tag,
      Vary: 'Accept-Encoding',
    });
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip') || 'identity';
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.type('text/javascript').send(bodies[encoding as keyof typeof bodies]);
  };
}

export const widgetRoutes = (): Router => Router().get('/js/v1/auth-2fasdk.js', serveScript());
