/** `/.well-known/security.txt` (RFC 9116): how to report a vulnerability of this server to its operator. */
import type { RequestHandler } from 'express';
import type { Clock } from '../clock.js';

/** The RFC recommends less than a year, so that caches do not show an old contact forever. */
const EXPIRES_AFTER_MS = 180 * 24 * 60 * 60_000;

/** Returns the file. `contacts` are listed in order of preference. */
export function securityTxt(contacts: readonly string[], baseUrl: string | undefined, now: number): string {
  const expires = new Date(now + EXPIRES_AFTER_MS).toISOString().replace(/T.*/, 'T00:00:00Z');
  const lines = contacts.map((contact) => `Contact: ${contact}`);
  lines.push(`Expires: ${expires}`, 'Preferred-Languages: en');
  if (baseUrl !== undefined) lines.push(`Canonical: ${baseUrl}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}

/** Without contacts, the path is not found. */
export function securityTxtRoute(
  contacts: readonly string[] | undefined,
  baseUrl: string | undefined,
  clock: Clock,
): RequestHandler {
  return (_request, response, next) => {
    if (contacts === undefined) return next();
    response.type('text/plain').send(securityTxt(contacts, baseUrl, clock.now()));
  };
}
