export { Passbell, type PassbellOptions, type WaitOptions, type WithMeta } from './client.js';
export { PassbellError, type ClientErrorCode, type PassbellErrorCode } from './errors.js';
export type { CallOptions, ReplyMeta, SendOptions } from './http.js';
export type { TokenClaims, TokenOptions } from './tokens.js';
export type * from './types.js';
export { verifyWebhook, type RequestHeaders, type WebhookRequestToVerify } from './webhook.js';
