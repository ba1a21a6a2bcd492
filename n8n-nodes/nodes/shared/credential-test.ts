import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { adviceFor } from './failure';
import { apiUrl, type Outcome, toOutcome, unreachable } from './transport';

/** Shorter than the time limit of sends, because a person waits for the result. */
const TIMEOUT_MS = 15_000;

async function call(context: ICredentialTestFunctions, credential: ICredentialDataDecryptedObject): Promise<Outcome> {
  const { appKey, appSecret, baseUrl } = credential;
  const clean = (value: unknown) => String(value ?? '').replace(/[^!-~]/g, '');
  try {
    const { statusCode, body } = await context.helpers.request({
      method: 'GET',
      uri: `${apiUrl(String(baseUrl ?? ''))}/application`,
      headers: { clientId: clean(appKey), clientSecret: clean(appSecret) },
      json: true,
      timeout: TIMEOUT_MS,
      simple: false,
      resolveWithFullResponse: true,
      // The credentials must not follow a redirect to another server.
      followRedirect: false,
    });
    return toOutcome(statusCode, body, { expects: { 'data.appKey': 'string', 'data.name': 'string' } });
  } catch (error) {
    return unreachable(error);
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Tests a credential. n8n's declarative tests check neither the shape of a reply nor each error code, and wait 300 seconds. */
export async function testCredential(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const outcome = await call(this, data);
  if (outcome.ok) return { status: 'OK', message: 'Connected' };
  const { failure } = outcome;
  return { status: 'Error', message: `${sentence(failure.message)} ${adviceFor(failure)}` };
}
