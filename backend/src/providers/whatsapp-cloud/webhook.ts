/** Meta's webhook: the handshake that verifies the URL, and signed notifications with delivery states. */
import { constantTimeEqual, isHexId } from '../../platform/crypto.js';
import { parseJson } from '../../platform/json.js';
import { createHmac } from 'node:crypto';
import type { ReportedState } from '../provider.js';
import type { CallbackReply, CallbackRequest, InboundMessage, ReportedMessage } from '../provider-type.js';
import { codeDetails, toProviderError } from './errors.js';

const STATES: Readonly<Record<string, ReportedState>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  failed: 'undelivered',
};

/** Maximum number of states, and of messages, in a notification. Meta sends far fewer. */
const MAX_STATES = 1000;

interface Status {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly biz_opaque_callback_data?: unknown;
  readonly errors?: unknown;
}

const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];

const parseValues = (body: string): readonly Record<string, unknown>[] =>
  list([parseJson(body)])
    .flatMap(({ entry }) => list(entry))
    .flatMap(({ changes }) => list(changes))
    .flatMap(({ value }) => list([value]));

/** Returns a message from a recipient. A pressed button has the text of the button. */
function inboundOf({ from, text, button }: Record<string, unknown>): InboundMessage[] {
  const body = list([text])[0]?.body ?? list([button])[0]?.text;
  return typeof from === 'string' && typeof body === 'string' ? [{ channel: 'WHATSAPP', from, text: body }] : [];
}

/** Why a message was not delivered: the first error of its status. */
function failureOf(errors: unknown): Pick<ReportedMessage, 'reason' | 'unreachable' | 'details'> {
  const code = list(errors)[0]?.code;
  if (typeof code !== 'number') return {};
  const { reason, concerns } = toProviderError(400, code);
  return { reason, unreachable: concerns === 'message', details: codeDetails(code) };
}

function reportOf({ id, status, biz_opaque_callback_data: data, errors }: Status): ReportedMessage[] {
  const reportedState = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  if (typeof id !== 'string' || !reportedState) return [];
  const messageId = typeof data === 'string' && isHexId(data) ? data : undefined;
  return [{ messageId, providerId: id, reportedState, ...failureOf(errors) }];
}

/** Whether Meta signed these bytes with the app secret. Compares in constant time. */
export function isSigned(body: Buffer, signature: string | undefined, appSecret: string): boolean {
  const expected = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return constantTimeEqual(signature ?? '', expected);
}

/** Returns undefined if the request is not from Meta. */
export function receiveNotification(
  { method, query, headers, body }: CallbackRequest,
  { appSecret, verifyToken }: { readonly appSecret: string; readonly verifyToken: string },
): CallbackReply | undefined {
  if (method === 'GET') {
    const isMeta = query['hub.mode'] === 'subscribe' && constantTimeEqual(query['hub.verify_token'] ?? '', verifyToken);
    const challenge = query['hub.challenge'] ?? '';
    if (!isMeta || !/^[\w-]{1,100}$/.test(challenge)) return undefined;
    return { reports: [], status: 200, contentType: 'text/plain', body: challenge };
  }
  if (!isSigned(body, headers['x-hub-signature-256'], appSecret)) return undefined;
  const values = parseValues(body.toString('utf8'));
  const statuses = values.flatMap((value) => list(value.statuses)).slice(0, MAX_STATES);
  const messages = values.flatMap((value) => list(value.messages)).slice(0, MAX_STATES);
  return { reports: statuses.flatMap(reportOf), inbound: messages.flatMap(inboundOf), status: 200 };
}
