/** A credential with which a person signs in to the dashboard (WebAuthn). */
export interface Passkey {
  readonly id: number;
  /** Of all memberships of the person. */
  readonly email: string;
  /** Chosen by the person. */
  readonly name: string;
  readonly credentialId: string;
  /** Base64url. */
  readonly publicKey: string;
  /** Identifies the person to authenticators, without containing the address. */
  readonly userHandle: string;
  /** The host name that the passkey belongs to. */
  readonly rpId: string;
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The address of the dashboard as the browser sees it. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

const IP_ADDRESS = /^(?:\[.*\]|\d{1,3}(?:\.\d{1,3}){3})$/;

/** Returns undefined where browsers offer no passkeys: at an IP address, and without https except for localhost. */
export function passkeySiteOf(serviceUrl: string): PasskeySite | undefined {
  if (!URL.canParse(serviceUrl)) return undefined;
  const { protocol, hostname, origin } = new URL(serviceUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !IP_ADDRESS.test(hostname) ? { rpId: hostname, origin } : undefined;
}

/** A question to the browser's authenticator. */
export interface PasskeyPrompt {
  /** Options of `navigator.credentials` as JSON. */
  readonly options: string;
  /** The challenge, sealed for the browser that the page is for. */
  readonly challenge: string;
}

/** The reply of a browser's authenticator. */
export interface PasskeyResponse {
  readonly challenge: string;
  readonly credential: string;
}
