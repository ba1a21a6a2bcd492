/**
 * Widget endpoints under `/authserviceclient` and `/authservice`, and the reset endpoint for the application's server.
 */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { createValidator, parametersOf, readWithCode, type Validator } from '../../platform/http/validation.js';
import { random } from '../../platform/crypto.js';
import { designOf } from '../applications/application.js';
import { applicationOf } from '../applications/authentication.js';
import type { TwoFactorCall } from './caller.js';
import type { TwoFactorService } from './twofactor-service.js';
import { browserOf, preflight, sourceOf, type createIdentityLimit } from './widget-access.js';

const callParameters = createValidator<Schemas['TwoFactorRequest']>('TwoFactorRequest');
const enableParameters = createValidator<Pick<Schemas['EnableTwoFactorRequest'], 'otp' | 'maskId'>>(
  'EnableTwoFactorRequest',
  ['otp', 'maskId'],
);
const disableParameters = createValidator<Pick<Schemas['DisableTwoFactorRequest'], 'otp'>>('DisableTwoFactorRequest', [
  'otp',
]);
const verifyParameters = createValidator<Pick<Schemas['VerifyTwoFactorRequest'], 'otp' | 'maskId'>>(
  'VerifyTwoFactorRequest',
  ['otp', 'maskId'],
);
const resetParameters = createValidator<Schemas['ResetTwoFactorRequest']>('ResetTwoFactorRequest');

/**
 * Returns a replacement for an unreadable code, so that the request counts as a wrong guess. Differs each time, because
 * two unreadable codes need not be the same.
 */
const wrongCode = (): string => `-${random.hex(16)}`;

function callOf(request: Request, response: Response): TwoFactorCall {
  const { identity, userToken, browserNonce } = callParameters(parametersOf(request));
  const browser = browserOf(browserNonce, response);
  return { application: applicationOf(response), identity, userToken, browser, source: sourceOf(request) };
}

export function twoFactorRoutes(
  authentication: RequestHandler,
  widgetAccess: RequestHandler,
  countIdentity: ReturnType<typeof createIdentityLimit>,
  twoFactor: TwoFactorService,
): Router {
  const router = Router();
  const readCode = <T>(read: Validator<T>, request: Request, call: TwoFactorCall): Promise<T> =>
    readWithCode(read, parametersOf(request), () => twoFactor.verify(call, { otp: wrongCode() }));
  type Handler = (call: TwoFactorCall, request: Request, response: Response) => Promise<void>;
  const widget = (name: string, handler: Handler) => {
    const paths = [`/authserviceclient/${name}`, `/authservice/${name}`];
    router.all(paths, preflight, allowOnly('POST'), jsonBody, widgetAccess, async (request, response) => {
      const call = callOf(request, response);
      await countIdentity(call);
      await handler(call, request, response);
    });
  };

  widget('authstate', async (call, _request, response) => {
    const IsTOtpVerified = await twoFactor.isOn(call);
    const message = IsTOtpVerified ? '2FA is enabled' : '2FA is not enabled';
    const design = designOf(call.application);
    const body: Schemas['TwoFactorStateReply'] = { success: true, message, IsTOtpVerified, design };
    reply(response, body);
  });
  widget('enable2fa', async (call, request, response) => {
    const code = await readCode(enableParameters, request, call);
    reply(response, await twoFactor.enable(call, code));
  });
  widget('verifyotp', async (call, request, response) => {
    const code = await readCode(verifyParameters, request, call);
    const data = await twoFactor.verify(call, code);
    const body: Schemas['VerifyTwoFactorReply'] = { success: true, message: 'verified', data };
    reply(response, body);
  });
  widget('disable2fa', async (call, request, response) => {
    const { otp } = await readCode(disableParameters, request, call);
    await twoFactor.disable(call, otp);
    reply(response, { success: true, message: '2FA disabled' });
  });

  router.all('/auth/reset2fa', allowOnly('POST'), authentication, jsonBody, async (request, response) => {
    const { identity } = resetParameters(parametersOf(request));
    await twoFactor.reset(applicationOf(response), identity);
    reply(response, { success: true, message: '2FA reset' });
  });
  return router;
}
