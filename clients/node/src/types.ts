/** Types of requests, replies and events, from the contract. */
import type { components } from './generated/contract.js';

export type Schemas = components['schemas'];

export type AuthWay = 'SMS' | 'WHATSAPP' | 'VOICE' | 'EMAIL';

/** Optional parameters may be undefined, also with `exactOptionalPropertyTypes`: `clientIp: request.ip`. */
type WithUndefined<Request> = {
  [Name in keyof Request]: Request[Name] | (object extends Pick<Request, Name> ? undefined : never);
};

/** The API accepts `authWay` in upper and lower case, which a type cannot express. */
type WithAuthWay<Request> = WithUndefined<Omit<Request, 'authWay'> & { authWay?: AuthWay }>;

export type SendOtpRequest = WithAuthWay<Schemas['SendOtpRequest']>;

export type VerifyOtpRequest = WithUndefined<Schemas['VerifyOtpRequest']>;
export type ReportVerifiedRequest = WithUndefined<Schemas['ReportVerifiedRequest']>;
export type CodePageRequest = WithUndefined<Schemas['CodePageRequest']>;
export type OrderNotificationRequest = WithAuthWay<Schemas['OrderNotificationRequest']> & {
  templateType: Schemas['OrderTemplate'] | (string & {});
};
export type InvoiceNotificationRequest = WithAuthWay<Schemas['InvoiceNotificationRequest']> & {
  templateType: Schemas['InvoiceTemplate'] | (string & {});
};
export type ListMessagesRequest = Partial<WithAuthWay<Schemas['ListMessagesRequest']>>;
export type UsageRequest = Schemas['UsageRequest'];
export type WebhookRequest = Schemas['WebhookRequest'];

export type SendResult = Schemas['SendResult'];
/** The successful attempt, and in `results` all attempts, including channels that failed first. */
export type Sent = SendResult & { readonly results: readonly SendResult[] };
export type SessionToken = Schemas['SessionToken'];
export type VerifiedIdentity = Schemas['VerifyTokenReply']['data'];
export type CodePage = Schemas['CodePageReply']['data'];
export type CodeStatus = Schemas['CodeStatusReply']['data'];
export type ApplicationInfo = Schemas['ApplicationReply']['data'];
export type Message = Schemas['Message'];
/** `next` is missing on the last page. */
export type MessagePage = Schemas['MessagesReply']['data'];
export type Usage = Schemas['UsageReply']['data'];
export type Webhook = Schemas['Webhook'];
/** A new webhook. Store its `secret`, which is not shown again. */
export type CreatedWebhook = Schemas['WebhookReply']['data'];

/** A webhook event. Comparing `event` narrows the type of `data`. */
export type WebhookEvent = Schemas['WebhookEvent'];

export type EventName = WebhookEvent['event'];

/** Login tokens come from `verifyOtp`, two-factor tokens from the widget. */
export type TokenPurpose = 'login' | 'two-factor';
