/** The connection to an application of a Passbell server, and descriptions of failures. */
import { PieceAuth, Property } from '@activepieces/pieces-framework';
import { Passbell } from '../../node/src/index.js';
import { describeFailure, type OperationName } from '../../connectors/operations.js';

const WORDS = {
  connection: 'the connection',
  flow: 'flow',
  app: 'Activepieces',
  retry:
    'For 24 hours, a retry of the same run gets the same result. A new run tries again, unless it has the same Idempotency Key.',
  unknown: 'The message may have been sent. A retry of the same run does not send a second message.',
  token: 'Use the token from a successful Verify Code.',
  step: 'this step',
};

export const failureOf = (name: OperationName | undefined, error: unknown) => describeFailure(WORDS, name, error);

/** Returns an error that says what happened and what to do. It contains no secrets, because Activepieces shows it as a whole. */
export function readableError(name: OperationName | undefined, error: unknown): Error {
  const { error: text, message } = failureOf(name, error);
  return new Error(`${text}. ${message}`.trim());
}

export interface Credentials {
  readonly baseUrl: string;
  readonly appKey: string;
  readonly appSecret: string;
}

/** Adds a missing https://. */
const withProtocol = (url: string): string => (/^https?:\/\//i.test(url) ? url : `https://${url}`);

export const clientFor = ({ baseUrl, appKey, appSecret }: Credentials): Passbell =>
  new Passbell({ baseUrl: withProtocol(baseUrl.trim()), appKey: appKey.trim(), appSecret: appSecret.trim() });

export const auth = PieceAuth.CustomAuth({
  description: 'The Base URL, the App Key and the App Secret are on the Connect page of your application in Passbell.',
  required: true,
  props: {
    baseUrl: Property.ShortText({
      displayName: 'Base URL',
      description:
        'Address of your Passbell server, such as https://otp.example.com. Activepieces must be able to reach it.',
      required: true,
    }),
    appKey: Property.ShortText({ displayName: 'App Key', description: 'Starts with pk_.', required: true }),
    appSecret: PieceAuth.SecretText({ displayName: 'App Secret', description: 'Starts with sk_.', required: true }),
  },
  async validate({ auth: credentials }) {
    try {
      await clientFor(credentials).listWebhooks();
      return { valid: true };
    } catch (error) {
      return { valid: false, error: readableError(undefined, error).message };
    }
  },
});
