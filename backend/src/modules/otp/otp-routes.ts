/** The routes `/auth/sendotp` and `/auth/verifyotp`, for GET and POST, `/auth/reportverified`, and `/auth/otp/{maskId}`. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, jsonBody, markRepeated, reply, warn } from '../../platform/http/envelope.js';
import { onReplyLost } from '../../platform/http/lost-reply.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { random } from '../../platform/crypto.js';
import { sourceKey } from '../../platform/http/source-address.js';
import { warnAboutUnknown } from '../../platform/http/unknown-parameters.js';
import { createValidator, idempotencyKeyOf, parametersOf, readWithCode } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import { domainWarning } from '../recipients/recipient-mistakes.js';
import { visibleState } from '../messages/message.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import type { OtpService } from './index.js';
import type { VerifyRequest } from './verify-service.js';

const sendParameters = createValidator<Schemas['SendOtpRequest']>('SendOtpRequest');
const codeParameters = createValidator<Omit<VerifyRequest, 'otp'>>('VerifyOtpRequest', ['maskId', 'to', 'authWay']);
const verifyParameters = createValidator<VerifyRequest>('VerifyOtpRequest');
const reportParameters = createValidator<Schemas['ReportVerifiedRequest']>('ReportVerifiedRequest');

/**
 * Returns a replacement for an unreadable code, so that the request counts as a wrong guess. Never matches, because it
 * is longer than any code. Differs each time, because two unreadable codes need not be the same.
 */
const unmatchableCode = (): string => `-${random.hex(16)}`;

export function otpRoutes(
  authentication: RequestHandler,
  otp: OtpService,
  messages: Pick<MessageLookup, 'find'>,
): Router {
  const router = Router();

  function verifyRequest(request: Request, response: Response): Promise<VerifyRequest> {
    const source = parametersOf(request);
    return readWithCode(verifyParameters, source, async () =>
      otp.verify(applicationOf(response), { ...codeParameters(source), otp: unmatchableCode() }),
    );
  }

  const sendNames = warnAboutUnknown('SendOtpRequest');
  router.all(
    '/auth/sendotp',
    allowOnly('GET', 'POST'),
    authentication,
    jsonBody,
    sendNames,
    async (request, response) => {
      const parameters = sendParameters(parametersOf(request));
      warn(response, domainWarning(parameters.to));
      const onRepeat = () => markRepeated(response);
      const options = { idempotencyKey: idempotencyKeyOf(request), requestId: requestIdOf(response), onRepeat };
      reply(response, await otp.send(applicationOf(response), parameters, options));
    },
  );
  const verifyNames = warnAboutUnknown('VerifyOtpRequest');
  router.all(
    '/auth/verifyotp',
    allowOnly('GET', 'POST'),
    authentication,
    jsonBody,
    verifyNames,
    async (request, response) => {
      const parameters = await verifyRequest(request, response);
      const source = sourceKey(request.ip ?? '');
      const options = { idempotencyKey: idempotencyKeyOf(request), source };
      const { maskId, token: data, repeated } = await otp.verify(applicationOf(response), parameters, options);
      if (repeated) markRepeated(response);
      onReplyLost(response, () => otp.replyLost(applicationOf(response), maskId, source));
      const body: Schemas['VerifyOtpReply'] = { success: true, message: 'verified', status: 'verified', data };
      reply(response, body);
    },
  );
  const reportNames = warnAboutUnknown('ReportVerifiedRequest');
  router.all(
    '/auth/reportverified',
    allowOnly('POST'),
    authentication,
    jsonBody,
    reportNames,
    async (request, response) => {
      await otp.reportVerified(applicationOf(response), reportParameters(parametersOf(request)));
      reply(response, { success: true, message: 'verification counted' });
    },
  );
  router.all('/auth/otp/:maskId', allowOnly('GET', 'DELETE'), authentication, async (request, response) => {
    const application = applicationOf(response);
    const isDelete = request.method === 'DELETE';
    const code = await (isDelete ? otp.cancel : otp.status)(application, String(request.params.maskId));
    const message = await messages.find([application.id], code.messageId);
    const data = { ...code, ...(message && { messageState: visibleState(message) }) };
    const text = isDelete && code.state === 'canceled' ? 'code canceled' : 'code found';
    const body: Schemas['CodeStatusReply'] = { success: true, message: text, data };
    reply(response, body);
  });
  return router;
}
