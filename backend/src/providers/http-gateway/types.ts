/** The provider types for HTTP gateways: one for each preset, and a configurable one for all other gateways. */
import type { ProviderType } from '../provider-type.js';
import { HTTP_GATEWAY } from './http-gateway-type.js';
import { gatewayType, type GatewayPreset } from './preset.js';
import { ELKS } from './presets/46elks.js';
import { AFRICAS_TALKING } from './presets/africas-talking.js';
import { AWS } from './presets/aws.js';
import { BIRD } from './presets/bird.js';
import { INFOBIP } from './presets/infobip.js';
import { MSG91 } from './presets/msg91.js';
import { PLIVO } from './presets/plivo.js';
import { SINCH } from './presets/sinch.js';
import { SMS_GATE } from './presets/sms-gate.js';
import { TELNYX } from './presets/telnyx.js';
import { TEXTBEE } from './presets/textbee.js';
import { VONAGE } from './presets/vonage.js';

export const PRESETS: readonly GatewayPreset[] = [
  AFRICAS_TALKING,
  AWS,
  BIRD,
  ELKS,
  INFOBIP,
  MSG91,
  PLIVO,
  SINCH,
  TELNYX,
  VONAGE,
  SMS_GATE,
  TEXTBEE,
];

export const GATEWAY_TYPES: readonly ProviderType[] = [...PRESETS.map(gatewayType), HTTP_GATEWAY];
