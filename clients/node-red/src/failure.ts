/** Describes failures in the words of Node-RED. */
import { describeFailure, type OperationName } from '../../connectors/operations.js';

const RETRY = 'To try again, send a new message into this node: the same message is sent only once in 24 hours.';
const WORDS = {
  connection: 'the Passbell server of this node',
  flow: 'flow',
  app: 'Node-RED',
  retry: RETRY,
  unknown: `The message may have been sent. ${RETRY}`,
  token: 'Use the token from a successful Verify Code.',
  step: 'this node',
};

export const failureOf = (name: OperationName | undefined, error: unknown) => describeFailure(WORDS, name, error);
