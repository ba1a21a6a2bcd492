// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

/** Names of contract fields that never reach a log, in lower case. */
export const REDACTED_NAMES: readonly string[] = [
  'email',
  'identity',
  'manualkey',
  'otp',
  'phone',
  'qrcoder',
  'recoverycodes',
  'to',
  'token',
  'usertoken',
];
