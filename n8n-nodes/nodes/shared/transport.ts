import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IWebhookFunctions,
  JsonObject,
} from 'n8n-workflow';
import type { Failure } from './failure';
import { labelOf, withLabels } from './labels';

export interface Request {
  method: IHttpRequestMethods;
  /** Below /api/v1. */
  path: string;
  body?: IDataObject;
  headers?: IDataObject;
  /** Fields that a successful reply must have, by path. */
  expects: Readonly<Record<string, FieldType>>;
  /** Labels of fields that differ from those of other operations, by the field's name in the contract. */
  labels?: Readonly<Record<string, string>>;
}

type FieldType = 'string' | 'object' | 'array';

/** The body of a reply with `success: true`, or a failure. */
export type Outcome = { ok: true; body: IDataObject } | { ok: false; failure: Failure };

/** Longer than the server takes for any send. */
const TIMEOUT_MS = 60_000;

/** URL of the API: adds a missing https://, removes trailing slashes and invisible characters, and appends a missing /api/v1. */
export function apiUrl(baseUrl: string): string {
  return `${baseUrl
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/^(?!https?:\/\/)/i, 'https://')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/api\/v1$/i, '')}/api/v1`;
}

const failed = (code: string, message: string): Outcome => ({ ok: false, failure: { code, message } });

function hasField(reply: unknown, path: string, type: FieldType): boolean {
  const value = path
    .split('.')
    .reduce<unknown>((parent, name) => (parent as IDataObject | null | undefined)?.[name], reply);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/** Statuses of proxies whose server does not respond. */
const GATEWAY_STATUSES = [502, 503, 504];

function notPassbell(statusCode: number): Outcome {
  if (GATEWAY_STATUSES.includes(statusCode))
    return failed('GATEWAY', `Passbell did not respond to the proxy in front of it (HTTP status ${statusCode})`);
  return failed('NOT_PASSBELL', `The server did not return a Passbell reply (HTTP status ${statusCode})`);
}

/** Success depends on the body only, not on the HTTP status. Other servers may also reply with `success`. */
export function toOutcome(
  statusCode: number,
  body: unknown,
  { expects, labels }: Pick<Request, 'expects' | 'labels'>,
): Outcome {
  const reply = (body !== null && typeof body === 'object' ? body : {}) as IDataObject;
  if (typeof reply.message !== 'string') return notPassbell(statusCode);
  if (reply.success === true) {
    const isComplete = Object.entries(expects).every(([path, type]) => hasField(reply, path, type));
    return isComplete ? { ok: true, body: reply } : notPassbell(statusCode);
  }
  if (reply.success !== false) return notPassbell(statusCode);
  const { message, code, hint, field, retryAfterSeconds, attemptsLeft, lockedForSeconds } = reply;
  const failure: Failure = { code: typeof code === 'string' ? code : 'UNKNOWN', message: withLabels(message, labels) };
  if (typeof hint === 'string') failure.hint = hint;
  if (typeof field === 'string') failure.field = labelOf(field, labels);
  if (typeof retryAfterSeconds === 'number') failure.retryAfterSeconds = retryAfterSeconds;
  if (typeof attemptsLeft === 'number') failure.attemptsLeft = attemptsLeft;
  if (typeof lockedForSeconds === 'number') failure.lockedForSeconds = lockedForSeconds;
  return { ok: false, failure };
}

/** Contains only the error's code, because the error includes the request with the credentials and the OTP. */
export function unreachable(error: unknown): Outcome {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return failed('UNREACHABLE', `Passbell did not respond (${cause?.code ?? code ?? 'no connection'})`);
}

/** Marks a failure after which a message may have been sent. */
function withEffect(outcome: Outcome, { path }: Request): Outcome {
  if (!outcome.ok) outcome.failure.mayBeSent = /^\/(auth\/sendotp|notifications\/)/.test(path);
  return outcome;
}

/** Sends one request. Returns failures instead of throwing them. */
export async function callPassbell(
  context: IExecuteFunctions | IHookFunctions | IWebhookFunctions | ILoadOptionsFunctions,
  request: Request,
): Promise<Outcome> {
  let baseUrl: string;
  try {
    ({ baseUrl } = await context.getCredentials<{ baseUrl: string }>('passbellApi'));
  } catch (error) {
    return failed('NO_CREDENTIAL', (error as Error).message);
  }
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
    return withEffect(toOutcome(statusCode, body, request), request);
  } catch (error) {
    return withEffect(unreachable(error), request);
  }
}

/** Converts a failure to the format of n8n's errors. */
export function asErrorResponse({ code, message, retryAfterSeconds }: Failure): JsonObject {
  return { message, code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
