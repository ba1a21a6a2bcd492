import type { JsonWebKeyInput, KeyObject } from 'node:crypto';

/** Session token lifetime in seconds: long enough for a checkout. */
export const TOKEN_SECONDS = 1800;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKeyInput['key'];
  readonly privateJwkSealed: string;
  readonly createdAt: number;
  /** Null while the key signs new tokens. */
  readonly retiresAt: number | null;
}
