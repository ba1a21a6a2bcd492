/** Examples of email APIs: requests, replies and events in the shape of the vendors' documentation. */
import type {
  CallbackRequest,
  ProviderContext,
  ProviderSettings,
  ReportedMessage,
} from '../../backend/src/providers/provider-type.js';
import type { OutgoingMessage } from '../../backend/src/providers/provider.js';
import { createTestClock } from './clock.js';
import { MESSAGE_ID, providerContext, type GatewayBehavior } from './gateway-server.js';

export const RECIPIENT = 'ana@example.com';
export const SENDER = 'Harbor Books, Ltd. <codes@shop.example>';
export const QUOTED_SENDER = '"Harbor Books, Ltd." <codes@shop.example>';
export const SUBJECT = 'Dein Bestätigungscode';
export const TEXT = 'Code: 093518';
export const HTML = '<p title="{{ to }}">Code: <b>093518</b></p>';
export const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

export const emailTo = (to = RECIPIENT): OutgoingMessage => ({
  id: MESSAGE_ID,
  applicationId: 1,
  to,
  content: { kind: 'email', subject: SUBJECT, text: TEXT, html: HTML },
});

/** Events are signed at the time of this clock. */
export const clock = createTestClock();
export const seconds = (): string => String(clock.now() / 1000);
export const emailContext = (more: Partial<ProviderContext> = {}): ProviderContext =>
  providerContext({ clock, ...more });

export const ok = (body: unknown, status = 200): GatewayBehavior => ({ status, body });

export const callback = (more: Partial<CallbackRequest>): CallbackRequest => ({
  method: 'POST',
  url: '',
  messageId: undefined,
  path: '',
  query: {},
  headers: {},
  body: Buffer.alloc(0),
  ...more,
});
export const jsonCallback = (value: unknown, headers: Readonly<Record<string, string>> = {}): CallbackRequest =>
  callback({ body: Buffer.from(JSON.stringify(value)), headers });

type Expected = Pick<ReportedMessage, 'reportedState' | 'recipientStatus'> & { readonly code?: string };
export const SENT: Expected = { reportedState: 'sent' };
export const DELIVERED: Expected = { reportedState: 'delivered' };
export const COMPLAINT: Expected = { reportedState: 'delivered', recipientStatus: 'complaint' };
export const OPTED_OUT: Expected = { reportedState: 'delivered', recipientStatus: 'optedOut' };
export const undelivered = (recipientStatus?: ReportedMessage['recipientStatus'], code?: string): Expected => ({
  reportedState: 'undelivered',
  recipientStatus,
  ...(code === undefined ? {} : { code }),
});

export interface EmailExample {
  readonly source: string;
  readonly settings: ProviderSettings;
  /** Path of the request that sends an email. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or form parameters. */
  readonly body: unknown;
  readonly accepted: readonly [reply: GatewayBehavior, providerId: string];
  readonly failures: readonly (readonly [reply: GatewayBehavior, kind: string, concerns: string])[];
  readonly lookUp?: { readonly path: string; readonly found: unknown; readonly missing: unknown };
  /** The credentials check. `valid`: replies that confirm the credentials. */
  readonly check?: { readonly path: string; readonly valid: readonly GatewayBehavior[] };
  /** Returns a request with these events, as the vendor sends it. */
  readonly send: (...events: readonly object[]) => CallbackRequest;
  /** The message's id in reports. */
  readonly providerId: string;
  /** Events, and the reports that they contain; undefined for events that are no reports. */
  readonly events: readonly (readonly [event: object, expected: Expected | undefined])[];
  /** Requests with a valid event that are not authentic. */
  readonly forged: Readonly<Record<string, (request: CallbackRequest) => CallbackRequest>>;
}
