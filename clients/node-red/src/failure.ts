/** Describes failures in the words of Node-RED. */
import { describeFailure, type OperationName } from '../../connectors/operations.js';

const WORDS = {
  connection: 'the Passbell server of this node',
  flow: 'flow',
  app: 'Node-RED',
  retry:
    'For 24 hours, the same Node-RED message gets the same result. A new message tries again, unless it has the same Idempotency Key.',
  unknown:
    'The message may have been sent. If the same Node-RED message enters this node again within 24 hours, no second message is sent.',
  token: 'Use the token from a successful Verify Code.',
  step: 'this node',
};

export const failureOf = (name: OperationName | undefined, error: unknown) => describeFailure(WORDS, name, error);
