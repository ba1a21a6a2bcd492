/** Examples for the Android gateway presets, and the type of all examples in `preset-examples.ts`. */
import type { CallbackRequest, ProviderSettings } from '../../backend/src/providers/provider-type.js';
import { MESSAGE_ID, type GatewayBehavior } from './gateway-server.js';

export const TEXT = 'Hello World!';

type Failure = readonly [reply: GatewayBehavior, kind: string, concerns: string];
type Report = readonly [request: Partial<CallbackRequest>, providerId: string, state: string];

export interface PresetExample {
  readonly source: string;
  readonly settings: ProviderSettings;
  readonly to: string;
  /** The request URL, as documented. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or form parameters. */
  readonly body: unknown;
  readonly accepted: readonly [reply: GatewayBehavior, providerId: string];
  readonly failures: readonly Failure[];
  readonly reports: readonly Report[];
  readonly lookUp?: {
    readonly url: string;
    readonly found: readonly [unknown, string];
    readonly missing: GatewayBehavior;
  };
  /** The credentials check. `headers`: by default, the same as for messages. */
  readonly check?: {
    readonly source: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly valid: unknown;
  };
}

export const ok = (body: unknown, status = 200): GatewayBehavior => ({ status, body });
export const json = (value: unknown): Partial<CallbackRequest> => ({ body: Buffer.from(JSON.stringify(value)) });

const gateReport = (event: string) =>
  json({ event, payload: { messageId: MESSAGE_ID, recipient: '+9998887777', simNumber: 1 } });
const beeReport = (webhookEvent: string) =>
  json({ webhookEvent, smsId: 's1', smsBatchId: 'b1', recipient: '+251912345678' });

export const ANDROID_EXAMPLES: Readonly<Record<string, PresetExample>> = {
  'sms-gate': {
    source: "the vendor's documentation (sending, webhooks) and the server's OpenAPI document",
    settings: { server: 'https://api.sms-gate.app/3rdparty/v1', username: 'user', password: 'pass', simNumber: '1' },
    to: '+9998887777',
    url: 'https://api.sms-gate.app/3rdparty/v1/messages',
    headers: { authorization: `Basic ${btoa('user:pass')}` },
    body: {
      id: MESSAGE_ID,
      textMessage: { text: TEXT },
      phoneNumbers: ['+9998887777'],
      simNumber: 1,
      withDeliveryReport: true,
      priority: 100,
    },
    accepted: [ok({ id: MESSAGE_ID, state: 'Pending' }, 202), MESSAGE_ID],
    failures: [
      [ok({ message: 'invalid phone number' }, 400), 'permanent', 'route'],
      [ok({ message: 'Unauthorized' }, 401), 'permanent', 'provider'],
      [ok({ message: 'duplicate id' }, 409), 'unknown', 'provider'],
      [ok('', 429), 'transient', 'provider'],
    ],
    reports: [
      [gateReport('sms:sent'), MESSAGE_ID, 'sent'],
      [gateReport('sms:delivered'), MESSAGE_ID, 'delivered'],
      [gateReport('sms:failed'), MESSAGE_ID, 'undelivered'],
    ],
    lookUp: {
      url: `https://api.sms-gate.app/3rdparty/v1/messages/${MESSAGE_ID}`,
      found: [{ id: MESSAGE_ID, state: 'Sent' }, MESSAGE_ID],
      missing: ok({ message: 'not found' }, 404),
    },
    check: {
      source: "the vendor's page on several devices",
      url: 'https://api.sms-gate.app/3rdparty/v1/devices',
      valid: [{ id: 'yVULogr4Y1ksRfnos1Dsw', name: 'Phone', lastSeen: '2025-07-20T08:30:45Z' }],
    },
  },
  textbee: {
    source: "the project's README (request), and the source of its server (replies, errors, webhook payloads)",
    settings: { server: 'https://api.textbee.dev/api/v1', deviceId: 'dev1', apiKey: 'key-of-bee' },
    to: '+251912345678',
    url: 'https://api.textbee.dev/api/v1/gateway/devices/dev1/send-sms',
    headers: { 'x-api-key': 'key-of-bee' },
    body: { recipients: ['+251912345678'], message: TEXT },
    accepted: [
      ok(
        { data: { success: true, message: 'SMS added to queue for processing', smsBatchId: 'b1', recipientCount: 1 } },
        201,
      ),
      'b1',
    ],
    failures: [
      [ok({ success: false, error: 'Device does not exist or is not enabled' }, 400), 'permanent', 'provider'],
      [ok({ success: false, error: 'Invalid recipients' }, 400), 'permanent', 'route'],
      [ok({ success: false, error: 'Failed to send SMS' }, 400), 'unknown', 'provider'],
      [ok({ data: { successCount: 0, failureCount: 1 } }, 201), 'unknown', 'provider'],
    ],
    reports: [
      [beeReport('MESSAGE_SENT'), 'b1', 'sent'],
      [beeReport('MESSAGE_DELIVERED'), 'b1', 'delivered'],
      [beeReport('MESSAGE_FAILED'), 'b1', 'undelivered'],
    ],
    check: {
      source: 'the source of the server',
      url: 'https://api.textbee.dev/api/v1/gateway/stats',
      valid: { data: { totalSentSMSCount: 1 } },
    },
  },
};
