/** The address of the service, as people type it. */

/** `https` keeps the key pair private on the way; without it only the same machine is reached, for development. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const DOMAIN = /^([a-z0-9-]+\.)+[a-z0-9-]+$/;

/** The address that paths are appended to, with `/api/v1` and no slash at its end; undefined when it cannot be used. */
export function mendBaseUrl(typed: string): string | undefined {
  const text = typed.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const address = new URL(whole);
  if (address.username || address.password || address.search || address.hash) return undefined;
  const local = LOOPBACK.test(address.hostname);
  if (address.protocol !== 'https:' && !(local && address.protocol === 'http:')) return undefined;
  if (!local && !DOMAIN.test(address.hostname) && !address.hostname.startsWith('[')) return undefined;
  const path = address.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${address.origin}${path}/api/v1`;
}
