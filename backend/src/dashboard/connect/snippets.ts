/** Sample commands and programs that send and verify a code. They contain the App Key and the service URL. */
import { FILTERS, render } from '../../modules/docs/templates.js';

export interface SnippetValues {
  /** Service URL, without `/api/v1`. */
  readonly serviceUrl: string;
  readonly appKey: string;
  readonly to: string;
}

export const SECRET_PLACEHOLDER = 'paste your App Secret here';

/** Stands for the end user's IP address, from the range for documentation. */
const SAMPLE_IP = '198.51.100.7';

/** Shell command that sets the environment variable from which the snippets read the App Secret. */
export const secretCommand = (appSecret = SECRET_PLACEHOLDER): string => `export APP_SECRET='${appSecret}'`;

const curlCommand = ({ serviceUrl, appKey }: SnippetValues, path: string, ...options: string[]): string =>
  [
    `curl -s '${serviceUrl}/api/v1/auth/${path}'`,
    `-H 'clientId: ${appKey}'`,
    '-H "clientSecret: $APP_SECRET"',
    ...options,
  ].join(' \\\n  ');

const JSON_HEADER = "-H 'Content-Type: application/json'";

export const curlCheck = (values: SnippetValues): string => curlCommand(values, 'authentication');

export const curlSend = (values: SnippetValues): string =>
  curlCommand(
    values,
    'sendotp',
    JSON_HEADER,
    `-d '${FILTERS.quoteForShell(JSON.stringify({ to: values.to, clientIp: SAMPLE_IP }))}'`,
  );

export const curlVerify = (values: SnippetValues): string =>
  `MASK_ID='MASK_ID_FROM_REPLY'
CODE='RECEIVED_CODE'
${curlCommand(values, 'verifyotp', JSON_HEADER, '-d "{\\"maskId\\": \\"$MASK_ID\\", \\"otp\\": \\"$CODE\\"}"')}`;

const program =
  (language: 'node' | 'php' | 'python') =>
  ({ serviceUrl, appKey, to }: SnippetValues): string =>
    `${render(`connect/${language}`, { url: `${serviceUrl}/api/v1`, appKey, to, clientIp: SAMPLE_IP })}\n`;

export const nodeProgram = program('node');
export const phpProgram = program('php');
export const pythonProgram = program('python');
