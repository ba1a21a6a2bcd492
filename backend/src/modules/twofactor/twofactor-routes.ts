/** Endpoints of the widget, under both of their prefixes, and the reset for the application's own server. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { createValidator, parametersOf, readWithCode, type Validator } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import type { TwoFactorCall } from './caller.js';
import type { TwoFactorService } from './twofactor-service.js';
import { browserOf, preflight } from './widget-access.js';

const callParameters = createValidator<Schemas['TwoFactorRequest']>('TwoFactorRequest');
const codeParameters = createValidator<Pick<Schemas['ProvenTwoFactorRequest'], 'otp'>>('ProvenTwoFactorRequest', [
  'otp',
]);
const verifyParameters = createValidator<Pick<Schemas['VerifyTwoFactorRequest'], 'otp' | 'maskId'>>(
  'VerifyTwoFactorRequest',
  ['otp', 'maskId'],
);
const resetParameters = createValidator<Schemas['ResetTwoFactorRequest']>('ResetTwoFactorRequest');

const WRONG_CODE = '-';

function callOf(request: Request, response: Response): TwoFactorCall {
  const { identity, userToken } = callParameters(parametersOf(request));
  return { application: applicationOf(response), identity, userToken, source: browserOf(request, response) };
}

export function twoFactorRoutes(
  authentication: RequestHandler,
  widgetAccess: RequestHandler,
  twoFactor: TwoFactorService,
): Router {
  const router = Router();
  const readCode = <T>(read: Validator<T>, request: Request, call: TwoFactorCall): Promise<T> =>
    readWithCode(read, parametersOf(request), () => twoFactor.verify(call, { otp: WRONG_CODE }));
  const widget = (name: string, handler: (request: Request, response: Response) => Promise<void>) => {
    const paths = [`/authserviceclient/${name}`, `/authservice/${name}`];
    router.all(paths, preflight, allowOnly('POST'), jsonBody, widgetAccess, handler);
  };

  widget('authstate', async (request, response) => {
    const call = callOf(request, response);
    const IsTOtpVerified = await twoFactor.isOn(call);
    const message = IsTOtpVerified ? '2FA is enabled' : '2FA is not enabled';
    const { design } = call.application.settings;
    const body: Schemas['TwoFactorStateReply'] = { success: true, message, IsTOtpVerified, design };
    reply(response, body);
  });
  widget('enable2fa', async (request, response) => {
    const call = callOf(request, response);
    const { otp } = await readCode(codeParameters, request, call);
    reply(response, await twoFactor.enable(call, otp));
  });
  widget('verifyotp', async (request, response) => {
    const call = callOf(request, response);
    const code = await readCode(verifyParameters, request, call);
    const data = await twoFactor.verify(call, code);
    const body: Schemas['VerifyTwoFactorReply'] = { success: true, message: 'verified', data };
    reply(response, body);
  });
  widget('disable2fa', async (request, response) => {
    const call = callOf(request, response);
    const { otp } = await readCode(codeParameters, request, call);
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
