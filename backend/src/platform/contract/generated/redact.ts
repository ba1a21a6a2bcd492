// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

/** Names of the contract's fields that are redacted in logs, in lower case. */
export const REDACTED_NAMES: readonly string[] = [
  'accounturi',
  'attachmenturl',
  'browsernonce',
  'challenge',
  'clientip',
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
