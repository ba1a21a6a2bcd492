import type { IDataObject } from 'n8n-workflow';
import { isoTime } from './operation';

const CHANNEL_OF: Record<string, string> = { Email: 'EMAIL', Sms: 'SMS', WHATSAPP: 'WHATSAPP', Voice: 'VOICE' };

/** The channel by the name that the Channel field has for it. */
export const channelOf = (authType: unknown): string => CHANNEL_OF[String(authType)] ?? String(authType);

/** What a person needs of a send that succeeded; the first result is the one that did. */
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
