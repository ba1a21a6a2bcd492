/** The registry of provider types. A new type is one file and one line here. */
import type { ProviderType } from './provider-type.js';
import { TWILIO } from './twilio-type.js';

export const PROVIDER_TYPES: readonly ProviderType[] = [TWILIO];

export const providerType = (name: string): ProviderType | undefined =>
  PROVIDER_TYPES.find((type) => type.name === name);
