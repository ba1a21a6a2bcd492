/** `/hooks/sms/{kind}` sends codes for identity servers that create and verify codes themselves. */
import express, { Router, type Request, type RequestHandler } from 'express';
import type { Base } from '../../platform/base.js';
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { sha256 } from '../../platform/crypto.js';
import { toApiError, BODY_LIMIT, apiHeaders, reply } from '../../platform/http/envelope.js';
import { statusOfError } from '../../platform/http/error-status.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { withoutPort } from '../../platform/http/source-address.js';
import { createValidator } from '../../platform/http/validation.js';
import { isAuthorized } from '../applications/allow-list.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { countingFailures } from '../applications/authentication.js';
import type { RejectedCallers } from '../applications/rejected-callers.js';
import type { OtpService } from '../otp/index.js';
import { chooseLanguage } from '../templates/language-codes.js';
import type { IdentityServerKind, SignedCodeRequest } from './identity-servers.js';
import { IDENTITY_SERVERS, isIdentityServerKind } from './identity-servers.js';

const sendParameters = createValidator<Schemas['SendOtpRequest']>('SendOtpRequest');

export interface CodeRequestsDependencies extends Pick<Base, 'clock' | 'limiter' | 'log'> {
  readonly applications: Pick<ApplicationsService, 'authenticateCodeRequest'>;
  readonly rejectedCallers: RejectedCallers;
  readonly otp: Pick<OtpService, 'send'>;
}

/** Converts the request of an identity server. The body is read as text, because the signature covers every byte. */
const codeRequestOf = (request: Request): SignedCodeRequest => ({
  header: (name) => request.get(name) ?? '',
  body: typeof request.body === 'string' ? request.body : '',
});

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object') return value as Readonly<Record<string, unknown>>;
  } catch {
    // Invalid JSON is rejected below.
  }
  throw new ApiError('MALFORMED_JSON');
}

export function codeRequestsRoutes({
  applications,
  rejectedCallers,
  limiter,
  otp,
  clock,
  log,
}: CodeRequestsDependencies): Router {
  const router = Router();

  /**
   * Returns the application that the URL names. Throws unless its key signed the request, and its allow-list contains
   * the caller.
   */
  async function authenticate(request: Request, kind: IdentityServerKind): Promise<Application> {
    const codeRequest = codeRequestOf(request);
    const isSignedWith = (key: Buffer) => IDENTITY_SERVERS[kind].isSignedWith(codeRequest, key, clock.now());
    const appKey = typeof request.query.appKey === 'string' ? request.query.appKey : '';
    const application = await countingFailures(limiter, request, () =>
      applications.authenticateCodeRequest(appKey, kind, isSignedWith),
    );
    const source = { ip: withoutPort(request.ip ?? '') };
    if (isAuthorized(application.settings.authorizedEndpoints, source)) return application;
    rejectedCallers.record(application.id, 'api', source);
    throw new ApiError('INVALID_ENDPOINT');
  }

  async function send(
    request: Request,
    kind: IdentityServerKind,
    requestId: string,
  ): Promise<Schemas['SendOtpReply'] | Schemas['Failure']> {
    const application = await authenticate(request, kind);
    const { body } = codeRequestOf(request);
    const { locale, ...message } = IDENTITY_SERVERS[kind].messageOf(jsonObject(body));
    // Customers can add authWay, expiry and language to the URL.
    const parameters = sendParameters({ ...request.query, ...message });
    if (parameters.otp === undefined) throw new ApiError('MISSING_PARAMETERS');
    const language = parameters.language ?? (typeof locale === 'string' ? chooseLanguage(locale) : undefined);
    const localized = language === undefined ? parameters : { ...parameters, language };
    // A repeated request, for example after a lost reply or by an attacker, sends no second message.
    return otp.send(application, localized, { idempotencyKey: `hook-${sha256(`${kind} ${body}`)}`, requestId });
  }

  const handle: RequestHandler = async (request, response) => {
    const kind = String(request.params.kind);
    if (!isIdentityServerKind(kind)) throw new ApiError('NOT_FOUND');
    const result = await send(request, kind, requestIdOf(response)).catch((error: unknown) =>
      failure(toApiError(error, log)),
    );
    if (result.success) return reply(response, { success: true, message: result.message });
    const status = statusOfError(result.code);
    // Supabase only shows our error message to the user if the status is 200.
    if (kind !== 'supabase') return reply(response, result, status);
    const error = { http_code: status, message: result.message };
    reply(response, { ...result, error } as Schemas['Failure'], status === 401 ? status : 200);
  };

  router.post('/hooks/sms/:kind', apiHeaders, express.text({ type: () => true, limit: BODY_LIMIT }), handle);
  return router;
}
