import type { IDataObject, IExecuteFunctions, IHookFunctions, IHttpRequestMethods, JsonObject } from 'n8n-workflow';
import type { Failure } from './failure';

export interface Request {
  method: IHttpRequestMethods;
  /** Below /api/v1. */
  path: string;
  body?: IDataObject;
  headers?: IDataObject;
}

/** A success is the body of the reply, with its `success: true`. */
export type Outcome = { ok: true; body: IDataObject } | { ok: false; failure: Failure };

/** Longer than the server ever takes to answer a send. */
const TIMEOUT_MS = 60_000;

/** Address of the API: a trailing slash goes, a missing /api/v1 comes. */
export function apiUrl(baseUrl: string): string {
  return `${baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/i, '')}/api/v1`;
}

const failed = (code: string, message: string): Outcome => ({ ok: false, failure: { code, message } });

/** The reply's own word on success decides; its HTTP status does not. */
function judge(statusCode: number, body: unknown): Outcome {
  const reply = (body !== null && typeof body === 'object' ? body : {}) as IDataObject;
  if (reply.success === true) return { ok: true, body: reply };
  if (reply.success !== false || typeof reply.message !== 'string')
    return failed('NOT_PASSBELL', `The server's answer is not one of Passbell (HTTP status ${statusCode})`);
  const { message, code, retryAfterSeconds } = reply;
  const failure: Failure = { code: typeof code === 'string' ? code : 'UNKNOWN', message };
  if (typeof retryAfterSeconds === 'number') failure.retryAfterSeconds = retryAfterSeconds;
  return { ok: false, failure };
}

/** Asks the server once. Failures are answered, not thrown. */
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
      // The key pair must not follow a redirect to another server.
      disableFollowRedirect: true,
    })) as { statusCode: number; body: unknown };
    return judge(statusCode, body);
  } catch (error) {
    // Only a word of the error: as a whole it holds the request, with the key pair and the code.
    const { cause } = error as { cause?: { code?: string } };
    return failed('UNREACHABLE', `Passbell did not answer (${cause?.code ?? 'no connection'})`);
  }
}

/** A failure as n8n's errors want it. */
export function asErrorResponse({ code, message, retryAfterSeconds }: Failure): JsonObject {
  return { message, code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
