import { isIP } from 'node:net';
import { useVisit } from './context.js';
import { Notice } from './notice.js';

function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0;
}

interface NoticeProps {
  readonly caller: string;
  /** Whether the reader runs this server. */
  readonly isOperator?: boolean;
}

/** Warns that a caller on the internet cannot reach this server. */
export function PublicAddressNotice({ caller, isOperator = false }: NoticeProps) {
  const { serviceUrl } = useVisit();
  if (isPublic(serviceUrl)) return null;
  return (
    <Notice kind="warning">
      {caller} can usually connect only to a public HTTPS address, but this server is at <code>{serviceUrl}</code>.{' '}
      {!isOperator && 'Ask the operator of this server to '}
      <a href="/docs/going-live">{`${isOperator ? 'Give' : 'give'} it a public HTTPS address`}</a>.
    </Notice>
  );
}
