import { parseUrl } from '../../platform/url.js';

/** A WebAuthn credential for signing in to the dashboard. */
export interface Passkey {
  readonly id: number;
  /** The person's email address, which is the same in all accounts. */
  readonly email: string;
  /** Chosen by the person. */
  readonly name: string;
  readonly credentialId: string;
  /** Encoded as base64url. */
  readonly publicKey: string;
  /** Identifies the person to authenticators, without revealing the address. */
  readonly userHandle: string;
  /** The host name that the passkey belongs to. */
  readonly rpId: string;
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The dashboard's WebAuthn relying party id and origin. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

const IP_ADDRESS = /^(?:\[.*\]|\d{1,3}(?:\.\d{1,3}){3})$/;

/**
 * Returns the relying party id and origin for a URL; undefined for an IP address, or http on a host other than
 * localhost, because browsers do not support passkeys there.
 */
export function passkeySiteOf(serviceUrl: string): PasskeySite | undefined {
  const url = parseUrl(serviceUrl);
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !IP_ADDRESS.test(hostname) ? { rpId: hostname, origin } : undefined;
}

/** A WebAuthn request for the browser. */
export interface PasskeyPrompt {
  /** Options for `navigator.credentials`, as JSON. */
  readonly options: string;
  /** The challenge, sealed for the browser that requested the page. */
  readonly challenge: string;
}

/** The browser's reply to a {@link PasskeyPrompt}. */
export interface PasskeyResponse {
  readonly challenge: string;
  readonly credential: string;
}
