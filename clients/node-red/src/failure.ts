/** Describes failures in the words of Node-RED. */
import { describeFailure, type OperationName } from '../../connectors/operations.js';

const WORDS = {
  connection: 'the Passbell server of this node',
  flow: 'flow',
  app: 'Node-RED',
  retry: 'To try again, send a new message into this node: the same message is sent only once in 24 hours.',
  token: 'Use the token from a successful Verify OTP.',
  step: 'this node',
};

export const failureOf = (name: OperationName, error: unknown) => describeFailure(WORDS, name, error);
