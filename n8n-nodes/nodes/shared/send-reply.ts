import type { IDataObject } from 'n8n-workflow';
import { isoTime } from './operation';

const CHANNEL_OF: Record<string, string> = { Email: 'EMAIL', Sms: 'SMS', WHATSAPP: 'WHATSAPP', Voice: 'VOICE' };

/** Maps `authType` to the value of the Channel field. */
export const channelOf = (authType: unknown): string => CHANNEL_OF[String(authType)] ?? String(authType);

/** The contract's reply to a send. */
export const SENT = { 'data.results.0.maskId': 'string', 'data.results.0.to': 'string' } as const;

/** Simplifies the reply to a successful send. The first result is the successful one. */
export function simplifySend(reply: IDataObject): IDataObject {
  const { results } = reply.data as { results: IDataObject[] };
  const [first = {}] = results;
  const { maskId, messageId, to, authType, expireTime, charge, currency } = first;
  return {
    maskId,
    ...(messageId !== undefined && { messageId }),
    to,
    channel: channelOf(authType),
    expiresAt: isoTime(expireTime),
    charge,
    currency,
    message: reply.message,
  };
}

/** Like {@link simplifySend}, without the fields that only codes have. */
export function simplifyNotification(reply: IDataObject): IDataObject {
  const { messageId, to, channel, charge, currency, message } = simplifySend(reply);
  const [first] = (reply.data as { results: IDataObject[] }).results;
  const sendAt = isoTime(first?.sendTime);
  return { messageId, to, channel, charge, currency, message, ...(sendAt !== undefined && { sendAt }) };
}
