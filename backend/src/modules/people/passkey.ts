import { parseUrl } from '../../platform/url.js';

/** A WebAuthn credential for signing in to the dashboard. */
export interface Passkey {
  readonly id: number;
  /** The person's address, which is the same in all accounts. */
  readonly email: string;
  /** Chosen by the person. */
  readonly name: string;
  readonly credentialId: string;
  /** Base64url. */
  readonly publicKey: string;
  /** Identifies the person to authenticators, without revealing the address. */
  readonly userHandle: string;
  /** The host name that the passkey belongs to. */
  readonly rpId: string;
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The dashboard's relying party id and origin for WebAuthn. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

const IP_ADDRESS = /^(?:\[.*\]|\d{1,3}(?:\.\d{1,3}){3})$/;

/**
 * Returns undefined for a URL where browsers do not support passkeys: an IP address, or http on any host but localhost.
 */
export function passkeySiteOf(serviceUrl: string): PasskeySite | undefined {
  const url = parseUrl(serviceUrl);
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !IP_ADDRESS.test(hostname) ? { rpId: hostname, origin } : undefined;
}

/** A request to the browser's authenticator. */
export interface PasskeyPrompt {
  /** Options for `navigator.credentials`, as JSON. */
  readonly options: string;
  /** The challenge, sealed for the browser that requested the page. */
  readonly challenge: string;
}

/** The reply of a browser's authenticator. */
export interface PasskeyResponse {
  readonly challenge: string;
  readonly credential: string;
}
