/**
 * The scripts for pages of any origin: `/js/v1/auth-2fasdk.js`, the browser widget, with the texts of its languages, and
 * `/js/v1/challenge.js`, which solves challenges.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import { WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import { REPOSITORY } from '../../platform/folders.js';

const WIDGET = '/js/v1/auth-2fasdk';
const SCRIPTS = ['auth-2fasdk.js', 'challenge.js'];

/** A short time, because the URL stays the same when the content changes. */
const CACHED_BRIEFLY = 'public, max-age=300';
const CACHED_FOREVER = 'public, max-age=31536000, immutable';

/** Length of a version in the query, which `widget/build.mjs` computes in the same way. */
const VERSION_LENGTH = 8;

function encode(identity: Buffer) {
  const hash = createHash('sha256').update(identity).digest('base64url');
  return {
    version: hash.slice(0, VERSION_LENGTH),
    // A weak ETag, because the tag is the same for every content encoding.
    tag: `W/"${hash}"`,
    bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity },
  };
}

function serve(type: string, read: () => Promise<Buffer>): RequestHandler {
  let file: Promise<ReturnType<typeof encode>> | undefined;
  return async (request, response) => {
    file ??= read().then(encode);
    // After an error, the next request reads the file again.
    file.catch(() => (file = undefined));
    const { version, tag, bodies } = await file;
    response.set({
      // Overrides the default `same-origin`. Pages that use subresource integrity need Access-Control-Allow-Origin.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': request.query.v === version ? CACHED_FOREVER : CACHED_BRIEFLY,
      ETag: tag,
      Vary: 'Accept-Encoding',
    });
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip') || 'identity';
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.type(type).send(bodies[encoding as keyof typeof bodies]);
  };
}

export function widgetRoutes(): Router {
  const router = Router();
  for (const name of SCRIPTS)
    router.get(
      `/js/v1/${name}`,
      serve('text/javascript', () => readFile(new URL(`widget/dist/${name}`, REPOSITORY))),
    );
  for (const [language, texts] of Object.entries(WIDGET_TEXTS))
    router.get(
      `${WIDGET}/${language}.json`,
      serve('json', async () => Buffer.from(JSON.stringify(texts))),
    );
  return router;
}
