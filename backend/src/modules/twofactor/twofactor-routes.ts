/** The widget's endpoints under both of their prefixes, and the reset for the site's own server. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { components } from '../../platform/contract/generated/api.js';
import { applicationOf } from '../applications/authentication.js';
import { readWithCode } from '../../platform/http/code-parameter.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { createValidator, parametersOf, type Validator } from '../../platform/http/validation.js';
import { browserOf, preflight } from './widget-access.js';
import type { TwoFactorService, WidgetCall } from './twofactor-service.js';

type Schemas = components['schemas'];
type CallParameters = Pick<Schemas['TwoFactorRequest'], 'identity' | 'userToken'>;

const callParameters = createValidator<CallParameters>('TwoFactorRequest');
const proofParameters = createValidator<Pick<Schemas['ProvenTwoFactorRequest'], 'otp'>>('ProvenTwoFactorRequest', [
  'otp',
]);
const verifyParameters = createValidator<Pick<Schemas['VerifyTwoFactorRequest'], 'otp' | 'maskId'>>(
  'VerifyTwoFactorRequest',
  ['otp', 'maskId'],
);
const resetParameters = createValidator<Schemas['ResetTwoFactorRequest']>('ResetTwoFactorRequest');

/** No code has this form. */
const NO_CODE = '-';

export interface TwoFactorRoutesParts {
  readonly authentication: RequestHandler;
  readonly widgetAccess: RequestHandler;
  readonly twoFactor: TwoFactorService;
}

function callOf(request: Request, response: Response): WidgetCall {
  const { identity, userToken } = callParameters(parametersOf(request));
  return { application: applicationOf(response), identity, userToken, source: browserOf(request, response) };
}

export function twoFactorRoutes({ authentication, widgetAccess, twoFactor }: TwoFactorRoutesParts): Router {
  const router = Router();
  const codeOf = <T>(read: Validator<T>, request: Request, call: WidgetCall): Promise<T> =>
    readWithCode(read, parametersOf(request), () => twoFactor.verify(call, { otp: NO_CODE }));
  const widget = (name: string, handler: (request: Request, response: Response) => Promise<void>) =>
    router.all(
      [`/authserviceclient/${name}`, `/authservice/${name}`],
      preflight,
      allowOnly('POST'),
      jsonBody,
      widgetAccess,
      handler,
    );

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
    const { otp } = await codeOf(proofParameters, request, call);
    reply(response, await twoFactor.enable(call, otp));
  });
  widget('verifyotp', async (request, response) => {
    const call = callOf(request, response);
    const code = await codeOf(verifyParameters, request, call);
    const data = await twoFactor.verify(call, code);
    const body: Schemas['VerifyTwoFactorReply'] = { success: true, message: 'verified', data };
    reply(response, body);
  });
  widget('disable2fa', async (request, response) => {
    const call = callOf(request, response);
    const { otp } = await codeOf(proofParameters, request, call);
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
