/** The requests that each kind of identity server sends to `/hooks/sms/{kind}`, and how they are authenticated. */
import { constantTimeEqual } from '../../platform/crypto.js';
import { hasStandardSignature, type SignedRequest } from '../../platform/standard-webhooks.js';

export const IDENTITY_SERVER_KINDS = ['supabase', 'logto'] as const;
export type IdentityServerKind = (typeof IDENTITY_SERVER_KINDS)[number];

export interface SignedCodeRequest extends SignedRequest {
  readonly body: string;
}

/** A code that an identity server asks Passbell to send, not yet validated. */
export interface RequestedMessage {
  readonly to: unknown;
  readonly otp: unknown;
  /** The end user's IP address, if the identity server knows it. */
  readonly clientIp?: unknown;
  /** The end user's language tag, such as `de-DE`, if the identity server knows it. */
  readonly locale?: unknown;
}

interface IdentityServer {
  /** How long a code is valid on the identity server by default, in minutes, for the text of the message. */
  readonly expiry: number;
  /** Returns the secret in the format that the identity server's settings expect. `key` has 32 bytes. */
  secretOf(key: Buffer): string;
  isSignedWith(request: SignedCodeRequest, key: Buffer, now: number): boolean;
  messageOf(body: Readonly<Record<string, unknown>>): RequestedMessage;
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};

const supabase: IdentityServer = {
  expiry: 1,
  secretOf: (key) => `v1,whsec_${key.toString('base64')}`,
  isSignedWith: hasStandardSignature,
  messageOf(body) {
    const user = objectOf(body.user);
    const sms = objectOf(body.sms);
    // When a user changes their phone number, the code goes to the new number.
    const clientIp = objectOf(body.metadata).ip_address;
    return { to: sms.phone || user.new_phone || user.phone, otp: sms.otp, ...(clientIp ? { clientIp } : {}) };
  },
};

const logto: IdentityServer = {
  expiry: 10,
  secretOf: (key) => `Bearer ${key.toString('hex')}`,
  isSignedWith: ({ header }, key) => constantTimeEqual(header('authorization'), logto.secretOf(key)),
  messageOf({ to, payload, ip }) {
    const { code: otp, locale } = objectOf(payload);
    return { to, otp, locale, ...(ip ? { clientIp: ip } : {}) };
  },
};

export const IDENTITY_SERVERS: Readonly<Record<IdentityServerKind, IdentityServer>> = { supabase, logto };

export const isIdentityServerKind = (kind: string): kind is IdentityServerKind =>
  (IDENTITY_SERVER_KINDS as readonly string[]).includes(kind);
