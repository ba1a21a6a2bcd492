// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

/** Names of contract fields that never reach a log, in lower case. */
export const REDACTED_NAMES: readonly string[] = [
  'accounturi',
  'customername',
  'deliveryagentname',
  'email',
  'identity',
  'invoicevariables',
  'manualkey',
  'ordervariables',
  'otp',
  'phone',
  'qrcoder',
  'recoverycodes',
  'secret',
  'to',
  'token',
  'usertoken',
];
