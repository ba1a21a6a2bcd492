import type { JsonWebKeyInput, KeyObject } from 'node:crypto';

export type Jwk = JsonWebKeyInput['key'];

/** Session token lifetime in seconds: long enough for a checkout. */
export const TOKEN_SECONDS = 1800;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: Jwk;
  readonly privateJwkSealed: string;
  readonly createdAt: number;
  /** Null while the key signs new tokens. */
  readonly retiresAt: number | null;
}
