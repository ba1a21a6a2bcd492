/**
 * Compresses replies with Brotli or gzip.
 *
 * An attacker who can make a browser repeat a request with a text of his choice learns from the size of a compressed
 * reply whether the text matches a secret in it (BREACH). So only two kinds of replies are compressed: public ones, which contain
 * no secrets, and pages that the browser loads because of an address, a link or a form of this site.
 */
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';

const isPublic = (response: Response): boolean => /\bpublic\b/.test(String(response.getHeader('Cache-Control')));

/**
 * Whether the browser loads a page that no other site requested. Scripts cannot set these headers. The `dest` excludes
 * requests by scripts, which repeat the query string of the page, for example to update a list.
 */
const isOwnNavigation = (request: Request): boolean =>
  request.get('Sec-Fetch-Dest') === 'document' && ['same-origin', 'none'].includes(request.get('Sec-Fetch-Site') ?? '');

export const compressed = (): RequestHandler =>
  compression({
    filter: (request, response) =>
      compression.filter(request, response) && (isPublic(response as Response) || isOwnNavigation(request as Request)),
  });
