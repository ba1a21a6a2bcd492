/** The widget's endpoints under both of their prefixes, and the reset for the site's own server. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../../errors.js';
import type { components } from '../../generated/api.js';
import { applicationOf } from '../../http/authentication.js';
import { allowOnly, jsonBody, reply } from '../../http/envelope.js';
import { createValidator, parametersOf } from '../../http/validation.js';
import { browserOf, preflight } from '../../http/widget-access.js';
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

/** What `read` finds in the body. A code of a type that no code has is refused by name, and is a guess like any other. */
async function codeOf<T>(read: (source: unknown) => T, request: Request, guess: () => Promise<unknown>): Promise<T> {
  try {
    return read(parametersOf(request));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_PARAMETER')) throw error;
    await guess().catch((judged: ApiError) => {
      if (judged.code !== 'INVALID_OTP') throw judged;
    });
    throw error;
  }
}

export function twoFactorRoutes({ authentication, widgetAccess, twoFactor }: TwoFactorRoutesParts): Router {
  const router = Router();
  const wrongGuess = (call: WidgetCall) => () => twoFactor.verify(call, { otp: NO_CODE });
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
    const { otp } = await codeOf(proofParameters, request, wrongGuess(call));
    reply(response, await twoFactor.enable(call, otp));
  });
  widget('verifyotp', async (request, response) => {
    const call = callOf(request, response);
    const code = await codeOf(verifyParameters, request, wrongGuess(call));
    const data = await twoFactor.verify(call, code);
    const body: Schemas['VerifyTwoFactorReply'] = { success: true, message: 'verified', data };
    reply(response, body);
  });
  widget('disable2fa', async (request, response) => {
    const call = callOf(request, response);
    const { otp } = await codeOf(proofParameters, request, wrongGuess(call));
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
