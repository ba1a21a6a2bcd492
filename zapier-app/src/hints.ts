/** Advice for failures whose message does not include any. */
import type { ERRORS } from './generated/errors.js';

export type ErrorCode = keyof typeof ERRORS;

const RECONNECT = 'Reconnect with the App Key and the App Secret of the application.';
const ASK = 'Ask your Passbell administrator.';
const MAP_SESSION = 'Map Session Token from a Verify OTP step.';
const NEW_CODE = 'Send the person a new code.';
const CHECK_BASE_URL = 'Check the Base URL of the connection, and that the server is up to date.';

export const HINTS: Partial<Record<ErrorCode, string>> = {
  INVALID_CREDENTIALS: RECONNECT,
  MISSING_CREDENTIALS: RECONNECT,
  APPLICATION_INACTIVE: `The application of this connection is inactive. ${ASK}`,
  USER_INACTIVE: `The account of this connection's application is inactive. ${ASK}`,
  ACCOUNT_BLOCKED: ASK,
  INVALID_ENDPOINT:
    "The application's allow-list does not allow Zapier. Clear it, or use another application for Zapier.",
  MISSING_RECIPIENT: 'To is empty. Map a phone number or an email address.',
  COUNTRY_NOT_ALLOWED: ASK,
  INVALID_AUTH_WAY: 'Choose SMS, WhatsApp, Voice Call or Email, or leave Channel empty.',
  CHANNEL_NOT_CONFIGURED: `Choose another Channel. ${ASK}`,
  RECIPIENT_SUPPRESSED: 'Check the address, and remove it from the suppression list in the Passbell dashboard.',
  RECIPIENT_OPTED_OUT: 'Filter out this recipient, or choose another Channel.',
  MISSING_PARAMETERS: 'A required field is empty.',
  MISSING_TEMPLATE_VARIABLES: 'Fill in these fields.',
  ATTACHMENT_REJECTED: 'Map the link to a PDF of at most 5 MB that anyone can download.',
  CHALLENGE_REQUIRED:
    'A Zap cannot solve a challenge. Turn off the challenge of the application, or use another application for Zapier.',
  SEND_FAILED: 'For 24 hours, a replay returns the same result. A new run of the Zap tries again.',
  MESSAGE_NOT_FOUND: 'Map Message ID from the step that scheduled the message.',
  MESSAGE_NOT_SCHEDULED: 'Only scheduled messages can be canceled. Use Find Message to see what happened to this one.',
  INVALID_TOKEN: MAP_SESSION,
  TOKEN_EXPIRED: NEW_CODE,
  TOKEN_REVOKED: NEW_CODE,
  INVALID_WEBHOOK_URL: `Passbell cannot reach Zapier's webhook address. ${ASK}`,
  TOO_MANY_WEBHOOKS: 'Turn off a Zap with a Passbell trigger that you do not need.',
  BODY_TOO_LARGE: 'Shorten the fields.',
  NOT_FOUND: CHECK_BASE_URL,
  METHOD_NOT_ALLOWED: CHECK_BASE_URL,
  INTERNAL_ERROR: ASK,
};

/** Errors whose hint depends on the request, so that the server's hint is more precise than any here. */
export const SERVER_HINTS: readonly ErrorCode[] = [
  'INVALID_RECIPIENT',
  'NUMBER_NOT_ALLOWED',
  'UNKNOWN_TEMPLATE',
  'FRAUD_SUSPECTED',
];
