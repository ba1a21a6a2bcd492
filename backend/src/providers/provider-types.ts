/** The registry of provider types. To add a type, write its file and list it here. */
import { EMAIL_TYPES } from './email-api/types.js';
import { GATEWAY_TYPES } from './http-gateway/types.js';
import type { ProviderType } from './provider-type.js';
import { SMTP } from './smtp-type.js';
import { TWILIO } from './twilio-type.js';
import { WHATSAPP_CLOUD } from './whatsapp-cloud/type.js';

export const PROVIDER_TYPES: readonly ProviderType[] = [TWILIO, WHATSAPP_CLOUD, SMTP, ...EMAIL_TYPES, ...GATEWAY_TYPES];

export const providerType = (name: string): ProviderType | undefined =>
  PROVIDER_TYPES.find((type) => type.name === name);
