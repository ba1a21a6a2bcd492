/** Validation and normalization of the Base URL. */

/** Hosts that may use plain http, for development. All others need https to protect the credentials. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const DOMAIN = /^([a-z0-9-]+\.)+[a-z0-9-]+$/;

/** `URL.canParse` of Node.js 20 sometimes rejects valid URLs with umlauts. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Returns the URL with `/api/v1` and no trailing slash; undefined if it is invalid. */
export function normalizeBaseUrl(input: string): string | undefined {
  const text = input.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const address = parseUrl(absolute);
  if (!address) return undefined;
  if (address.username || address.password || address.search || address.hash) return undefined;
  const local = LOOPBACK.test(address.hostname);
  if (address.protocol !== 'https:' && !(local && address.protocol === 'http:')) return undefined;
  if (!local && !DOMAIN.test(address.hostname) && !address.hostname.startsWith('[')) return undefined;
  const path = address.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
  return `${address.origin}${path}/api/v1`;
}
