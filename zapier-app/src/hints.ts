/** What a person can do about a failure, where the service's own words do not say it. */
import type { ERRORS } from './generated/errors.js';

export type ErrorCode = keyof typeof ERRORS;

export const HINTS: Partial<Record<ErrorCode, string>> = {
  INVALID_CREDENTIALS: 'Reconnect with the App Key and the App Secret of the application.',
  MISSING_CREDENTIALS: 'Reconnect with the App Key and the App Secret of the application.',
  APPLICATION_INACTIVE: 'The operator of the service can switch it on.',
  INVALID_ENDPOINT: "The application's allow-list leaves Zapier out: clear it, or use another application for Zapier.",
  MISSING_RECIPIENT: 'To is empty: map a phone number or an e-mail address.',
  INVALID_RECIPIENT:
    'To needs one phone number with its country code, or an e-mail address, that the channel can reach.',
  INVALID_AUTH_WAY: 'Channel is one of SMS, WhatsApp, Voice or Email.',
  MISSING_PARAMETERS: 'A required field is empty.',
  MISSING_TEMPLATE_VARIABLES: 'Fill in the fields of these names.',
};
