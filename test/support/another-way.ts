/** Helpers for tests of codes that are sent another way, because they do not arrive. */
import type { Message } from '../../backend/src/modules/messages/message.js';
import type { GatewayServer } from './gateway-server.js';
import type { Body, TestService } from './service.js';
import { advancing, until } from './wait.js';

/** Settings of an HTTP gateway that sends delivery reports. */
export const REPORTS = {
  body: '{"to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}',
  reportState: 'status',
  reportId: 'id',
  reportStates: 'delivered = OK\nundelivered = FAIL',
};

/** Returns the messages that a gateway received. */
export const sends = ({ requests }: GatewayServer): Body[] =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));

/** Advances the clock until the gateway has received this many messages. */
export const untilSent = ({ clock }: TestService, server: GatewayServer, count: number, stepMs = 250) =>
  until(`${count} sends`, () => sends(server).length >= count, advancing(clock, stepMs));

/** Returns a message of an application as it is stored. */
export async function readMessage(
  { core }: TestService,
  { appKey }: TestService['keys'],
  messageId: string,
): Promise<Message> {
  const { id } = await core.applications.service.load(appKey);
  return (await core.messages.lookup.find([id], messageId))!;
}
