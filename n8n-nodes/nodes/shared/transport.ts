import type { IDataObject, IExecuteFunctions, IHookFunctions, IHttpRequestMethods, JsonObject } from 'n8n-workflow';
import type { Failure } from './failure';

export interface Request {
  method: IHttpRequestMethods;
  /** Below /api/v1. */
  path: string;
  body?: IDataObject;
  headers?: IDataObject;
}

/** The body of a reply with `success: true`, or a failure. */
export type Outcome = { ok: true; body: IDataObject } | { ok: false; failure: Failure };

/** Longer than the server takes for any send. */
const TIMEOUT_MS = 60_000;

/** URL of the API: removes trailing slashes and appends a missing /api/v1. */
export function apiUrl(baseUrl: string): string {
  return `${baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/i, '')}/api/v1`;
}

const failed = (code: string, message: string): Outcome => ({ ok: false, failure: { code, message } });

/** Success depends on the body only, not on the HTTP status. */
function toOutcome(statusCode: number, body: unknown): Outcome {
  const reply = (body !== null && typeof body === 'object' ? body : {}) as IDataObject;
  if (reply.success === true) return { ok: true, body: reply };
  if (reply.success !== false || typeof reply.message !== 'string')
    return failed('NOT_PASSBELL', `The server did not return a Passbell reply (HTTP status ${statusCode})`);
  const { message, code, hint, retryAfterSeconds } = reply;
  const failure: Failure = { code: typeof code === 'string' ? code : 'UNKNOWN', message };
  if (typeof hint === 'string') failure.hint = hint;
  if (typeof retryAfterSeconds === 'number') failure.retryAfterSeconds = retryAfterSeconds;
  return { ok: false, failure };
}

/** Sends one request. Returns failures instead of throwing them. */
export async function callPassbell(context: IExecuteFunctions | IHookFunctions, request: Request): Promise<Outcome> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('passbellApi');
  try {
    const { statusCode, body } = (await context.helpers.httpRequestWithAuthentication.call(context, 'passbellApi', {
      method: request.method,
      url: `${apiUrl(baseUrl)}${request.path}`,
      headers: { ...request.headers },
      body: request.body,
      json: true,
      timeout: TIMEOUT_MS,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      // The credentials must not follow a redirect to another server.
      disableFollowRedirect: true,
    })) as { statusCode: number; body: unknown };
    return toOutcome(statusCode, body);
  } catch (error) {
    // Only the error code, because the error includes the request with the credentials and the OTP.
    const { cause } = error as { cause?: { code?: string } };
    return failed('UNREACHABLE', `Passbell did not respond (${cause?.code ?? 'no connection'})`);
  }
}

/** Converts a failure to the format of n8n's errors. */
export function asErrorResponse({ code, message, retryAfterSeconds }: Failure): JsonObject {
  return { message, code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
