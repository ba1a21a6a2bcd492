/** A preset describes an email API and its webhook, and is converted to a provider type. */
import { DAY, MINUTE, SECOND } from '../../platform/clock.js';
import { parseJson } from '../../platform/json.js';
import { DKIM_SELECTOR, FROM, type Email } from '../email.js';
import type { GatewayDefinition } from '../http-gateway/definition.js';
import { HIDDEN } from '../http-gateway/hidden.js';
import { ERROR_CODE } from '../http-gateway/outcome.js';
import { compilePath } from '../http-gateway/paths.js';
import { gatewayType, type GatewayPreset } from '../http-gateway/preset.js';
import { ProviderError } from '../provider.js';
import { choice, optional } from '../provider-field.js';
import type {
  CallbackRequest,
  ProviderContext,
  ProviderField,
  ProviderSettings,
  ProviderType,
  ReportedMessage,
} from '../provider-type.js';

/** Returns the value at a path of an event, such as `data.tags.messageId`, as text. */
export type ReadEvent = (path: string) => string | undefined;

/** A vendor's event, converted to Passbell's terms. */
export interface EmailEvent {
  /** Undefined for events that say nothing about the delivery, such as opens. */
  readonly kind: EventKind | undefined;
  /** Passbell's message id, which the vendor returns. */
  readonly messageId: string | undefined;
  /** The vendor's message id; undefined if its reply to the request does not contain it. */
  readonly providerId?: string | undefined;
  /** The vendor's code, and the text of the vendor or the recipient's mail server. */
  readonly code?: string | undefined;
  readonly text?: string | undefined;
}

export interface EmailPreset extends Omit<GatewayPreset, 'channel' | 'countries' | 'definition'> {
  readonly definition: Omit<GatewayDefinition, 'body' | 'reports'>;
  /** Returns the body of the request that sends the email. `settings`: values by field name. */
  body(email: Email, settings: Readonly<Record<string, unknown>>): object;
  /** False if the API accepts attachments only in a format that Passbell does not send. */
  readonly sendsAttachments?: false;
  /** Where to enter the address for delivery reports, and what to select. */
  readonly reportsHelp: string;
  /** Returns the events in a request; undefined if it is not authentic. */
  readEvents(request: CallbackRequest, settings: ProviderSettings, context: ProviderContext): Events | Promise<Events>;
  eventOf(read: ReadEvent): EmailEvent;
}
export type Events = readonly unknown[] | undefined;

type EventReport = Pick<ReportedMessage, 'reportedState' | 'recipientStatus' | 'reason' | 'unreachable'>;
const undelivered = (reason: string, recipientStatus?: ReportedMessage['recipientStatus']): EventReport => ({
  reportedState: 'undelivered',
  recipientStatus,
  reason,
  // Another provider would send to the same mailbox.
  unreachable: recipientStatus !== undefined && recipientStatus !== 'softBounce',
});

/**
 * Reports by kind of event. `blocked`: the recipient's mail server rejected this email, but not the address. `dropped`:
 * the vendor did not send it. `complainedBefore` and `optedOutBefore`: the vendor did not send it, because the recipient
 * has marked an earlier email as spam or unsubscribed.
 */
const REPORTS = {
  sent: { reportedState: 'sent' },
  delivered: { reportedState: 'delivered' },
  hardBounce: undelivered('the address does not exist, or rejects all emails', 'hardBounce'),
  softBounce: undelivered("the recipient's mail server could not accept the email", 'softBounce'),
  blocked: undelivered("the recipient's mail server rejected the email"),
  dropped: undelivered('the provider did not send the email'),
  complaint: { reportedState: 'delivered', recipientStatus: 'complaint' },
  complainedBefore: undelivered('the recipient has marked an earlier email as spam', 'complaint'),
  optedOut: { reportedState: 'delivered', recipientStatus: 'optedOut' },
  optedOutBefore: undelivered('the recipient has unsubscribed', 'optedOut'),
} as const satisfies Readonly<Record<string, EventReport>>;
export type EventKind = keyof typeof REPORTS;

/** The vendor's names of events by kind. */
export type Kinds = Readonly<Partial<Record<EventKind, readonly string[]>>>;

export const kindIn = (kinds: Kinds, name: string | undefined): EventKind | undefined =>
  (Object.keys(kinds) as EventKind[]).find((kind) => kinds[kind]!.includes(name ?? ''));

/** Maximum number of events in a request. Vendors send up to about a thousand. */
const MAX_EVENTS = 2000;
/** Maximum length of a stored text. */
const MAX_TEXT = 1000;
/** Matches email addresses: the recipient's, and those to which it forwards, which Passbell does not know. */
const ADDRESS = /[^\s<>@",;]{1,64}@[^\s<>@",;]{1,255}/g;
/** Matches the enhanced status code of a mail server's reply (RFC 3463). */
const ENHANCED_CODE = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/**
 * Matches enhanced status codes about the content (6) or the sender's reputation (7), and the subtypes of Amazon SES and
 * Resend. Such a soft bounce says nothing about the address, so it must not suppress it.
 */
const ABOUT_EMAIL = /^(?:[45]\.[67]\.|ContentRejected$|AttachmentRejected$|MessageTooLarge$)/;

function reportOf({ kind, messageId, providerId, code, text }: EmailEvent): ReportedMessage[] {
  const id = providerId ?? messageId;
  if (kind === undefined || id === undefined) return [];
  const reply = text?.slice(0, MAX_TEXT).replace(ADDRESS, HIDDEN);
  const cause = ENHANCED_CODE.exec(`${code} ${reply}`)?.[0] ?? code ?? '';
  const isAboutEmail = kind === 'softBounce' && ABOUT_EMAIL.test(cause);
  // A mail server chooses some of the codes.
  const found = code !== undefined && ERROR_CODE.test(code) ? code : ENHANCED_CODE.exec(reply ?? '')?.[0];
  const details = { ...(found === undefined ? {} : { code: found }), ...(reply ? { reply } : {}) };
  return [{ messageId, providerId: id, details, ...REPORTS[isAboutEmail ? 'blocked' : kind] }];
}

/** Returns the events in a JSON body: a list, or a single event. */
export function jsonEvents(body: Buffer): readonly unknown[] {
  const json = parseJson(body.toString('utf8'));
  return Array.isArray(json) ? json : [json];
}

/** How old a signed event may be. Vendors repeat requests for up to a day, some with the first signature. */
const MAX_EVENT_AGE = 2 * DAY;
/** How far a vendor's clock may be ahead. */
const MAX_CLOCK_SKEW = 5 * MINUTE;

/** Whether a signed time is recent. Older requests are rejected, because they may be replays. */
export function isRecent(seconds: string | undefined, now: number): boolean {
  const at = Number(seconds) * SECOND;
  return at >= now - MAX_EVENT_AGE && at <= now + MAX_CLOCK_SKEW;
}

/** `what` and `needs` complete sentences, such as `A US email service` and `an API key`. */
export const descriptionOf = (what: string, needs: string): string =>
  `${what}. It reports deliveries, bounces and spam complaints. You need ${needs}.`;

/** Returns headers in the format of Amazon SES and Postmark. */
export const namedHeaders = (headers: Email['headers']): readonly object[] =>
  Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));

export const REGION: ProviderField = {
  ...choice('region', 'Region', { api: 'United States', 'api.eu': 'European Union' }),
  connects: true,
};

/** A secret that the vendor shows only after the provider and its webhook have been created. */
export const signingKey = (label: string, help: string): ProviderField => ({
  ...optional('signingKey', label, `${help} Without it, delivery reports are rejected.`),
  secret: true,
});

export const definitionOf = ({ definition, body, sendsAttachments, title }: EmailPreset): GatewayDefinition => ({
  ...definition,
  body(values) {
    const email = values.email as Email;
    if (sendsAttachments === false && email.attachments.length > 0)
      throw new ProviderError('permanent', `Passbell cannot send attachments with ${title}`, undefined, 'route');
    return body(email, values);
  },
});

export function emailType(preset: EmailPreset): ProviderType {
  const { reportsHelp, readEvents, eventOf, fields } = preset;
  const type = gatewayType({
    ...preset,
    channel: 'EMAIL',
    fields: [...fields, FROM, DKIM_SELECTOR],
    definition: definitionOf(preset),
  });
  return {
    ...type,
    reportsHelp,
    capabilities: { ...type.capabilities, deliveryReports: true },
    async receive(request, settings, context) {
      const events = await readEvents(request, settings, context);
      if (!events) return undefined;
      const read =
        (event: unknown): ReadEvent =>
        (path) =>
          compilePath(path)(event);
      const reports = events.slice(0, MAX_EVENTS).flatMap((event) => reportOf(eventOf(read(event))));
      // Some vendors only accept this status.
      return { reports, status: 200 };
    },
  };
}
