/** `/auth/sendotp` and `/auth/verifyotp`, each by GET and by POST. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { components } from '../../platform/contract/generated/api.js';
import { applicationOf } from '../applications/authentication.js';
import { readWithCode } from '../../platform/http/code-parameter.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { idempotencyKeyOf } from '../../platform/http/idempotency-key.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import type { SendOtp } from './send-service.js';
import type { VerifyOtp } from './verify-service.js';

type Schemas = components['schemas'];

const sendParameters = createValidator<Schemas['SendOtpRequest']>('SendOtpRequest');
const maskIdOnly = createValidator<Pick<Schemas['VerifyOtpRequest'], 'maskId'>>('VerifyOtpRequest', ['maskId']);
const verifyParameters = createValidator<Schemas['VerifyOtpRequest']>('VerifyOtpRequest');

/** Longer than any code, so it matches none. */
const NO_CODE = '-'.repeat(11);

export interface OtpRoutesParts {
  readonly authentication: RequestHandler;
  readonly sendOtp: SendOtp;
  readonly verifyOtp: VerifyOtp;
}

export function otpRoutes({ authentication, sendOtp, verifyOtp }: OtpRoutesParts): Router {
  const router = Router();

  function verifyRequest(request: Request, response: Response): Promise<Schemas['VerifyOtpRequest']> {
    const source = parametersOf(request);
    return readWithCode(verifyParameters, source, async () =>
      verifyOtp(applicationOf(response), { ...maskIdOnly(source), otp: NO_CODE }),
    );
  }

  router.all('/auth/sendotp', allowOnly('GET', 'POST'), authentication, jsonBody, async (request, response) => {
    const parameters = sendParameters(parametersOf(request));
    const about = { idempotencyKey: idempotencyKeyOf(request), requestId: requestIdOf(response) };
    reply(response, await sendOtp(applicationOf(response), parameters, about));
  });
  router.all('/auth/verifyotp', allowOnly('GET', 'POST'), authentication, jsonBody, async (request, response) => {
    const data = await verifyOtp(applicationOf(response), await verifyRequest(request, response));
    const body: Schemas['VerifyOtpReply'] = { success: true, message: 'verified', status: 'verified', data };
    reply(response, body);
  });
  return router;
}
