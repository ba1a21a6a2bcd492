import { isIP } from 'node:net';
import { useVisit } from './context.js';
import { Notice } from './notice.js';

function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0;
}

/** Warns that a caller on the internet cannot reach this server. */
export function PublicAddressNotice({ caller }: { readonly caller: string }) {
  const { serviceUrl } = useVisit();
  if (isPublic(serviceUrl)) return null;
  return (
    <Notice kind="warning">
      {caller} can usually connect only to a public HTTPS address, but this server is at <code>{serviceUrl}</code>. Ask
      the operator of this server to <a href="/docs/going-live">give it a public HTTPS address</a>.
    </Notice>
  );
}
