/** Receives vendors' requests: delivery reports, and requests for the rest of a call's script. */
import { promisify } from 'node:util';
import express, { Router, type Request, type Response } from 'express';
import { constantTimeEqual, isHexId } from '../../platform/crypto.js';
import type { Log } from '../../platform/log.js';
import { ENVIRONMENT_TWILIO } from '../../providers/environment.js';
import type { CallbackRequest, ReportedMessage } from '../../providers/provider-type.js';
import { NO_MESSAGE } from '../providers/live-providers.js';
import type { Routing } from '../providers/routing.js';
import type { ReceiveInbound } from './inbound.js';
import type { MessagesService } from './messages-service.js';
import { toStoredId } from './messages-store.js';

/** The URLs of stored providers. */
const STORED = '/callbacks/provider/:provider{/:messageId}{/:path}';
/** The URLs of the Twilio account that environment variables configure. */
const ENVIRONMENT = '/callbacks/twilio/:messageId{/:path}';

/** SendGrid sends events in requests of up to 768 kB. */
const CALLBACK_LIMIT = '1mb';

type FindMessageId = (provider: string, providerId: string) => Promise<string | undefined>;

const textsOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

function requestOf(request: Request, baseUrl: string): CallbackRequest {
  const { method, originalUrl, query, headers, body } = request;
  const { messageId, path = '' } = textsOf(request.params);
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: `${baseUrl}${originalUrl}`,
    messageId: messageId === NO_MESSAGE ? undefined : messageId,
    path,
    query: textsOf(query),
    headers: textsOf(headers),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

export function callbacksRoutes(
  routing: Pick<Routing, 'receiver'>,
  findMessageId: FindMessageId,
  messages: Pick<MessagesService, 'report'>,
  receiveInbound: ReceiveInbound,
  log: Log,
  baseUrl = '',
): Router {
  const router = Router();
  // Signatures cover the exact bytes.
  const readBody = promisify(express.raw({ type: () => true, limit: CALLBACK_LIMIT }));

  async function record(provider: string, report: ReportedMessage): Promise<void> {
    const { messageId, reportedState, reason, details, unreachable, recipientStatus } = report;
    const providerId = toStoredId(report.providerId);
    const id = messageId ?? (await findMessageId(provider, providerId));
    if (id === undefined || !isHexId(id)) return;
    const reported = { reportedState, reason, details, recipientStatus };
    await messages.report({ id, type: 'reported', provider, providerId, ...reported }, unreachable);
  }

  async function receive(request: Request, response: Response): Promise<void> {
    const id = String(request.params.provider ?? ENVIRONMENT_TWILIO);
    const receiver = routing.receiver(id);
    if (!receiver?.type.receive) return void response.status(404).end();
    const { type, settings, context, callbackKey } = receiver;
    const isKnown = callbackKey === undefined || constantTimeEqual(String(request.query.key), callbackKey);
    // Without the key, the body is not read: it can be large.
    if (isKnown) await readBody(request, response);
    const reply = isKnown ? await type.receive!(requestOf(request, baseUrl), settings, context) : undefined;
    if (!reply) {
      log.warn(
        { provider: id },
        'rejected a callback that could not be verified. Check that the provider calls its callback URL, and that this URL starts with BASE_URL.',
      );
      return void response.status(403).end();
    }
    for (const report of reply.reports) await record(id, report);
    let answer: string | undefined;
    for (const message of reply.inbound ?? []) answer = await receiveInbound(id, message);
    const { status = reply.body === undefined ? 204 : 200, contentType = 'text/plain' } = reply;
    response.status(status).set('Cache-Control', 'no-store');
    const replyBody = answer === undefined ? reply.body : await reply.replyWith?.(answer);
    if (replyBody === undefined) response.end();
    else response.type(contentType).send(replyBody);
  }

  router.get(STORED, receive);
  router.post([STORED, ENVIRONMENT], receive);
  return router;
}
