/** Advice for failures whose message does not include any. */
import { ADVICE } from './generated/connectors.js';

/** Words of Zapier in the advice that all hosts have. */
const WORDS: Readonly<Record<string, string>> = {
  connection: 'the connection',
  flow: 'Zap',
  app: 'Zapier',
  unknown: '',
  retry: 'For 24 hours, a replay returns the same result. A new run of the Zap tries again.',
  token: 'Map Session Token from a Verify Code step.',
};

const RECONNECT = 'Reconnect with the App Key and the App Secret of the application.';

/** Advice that replaces that of all hosts. */
const OWN_ADVICE: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: RECONNECT,
  MISSING_CREDENTIALS: RECONNECT,
  MISSING_RECIPIENT: 'To is empty. Map a phone number or an email address.',
  MESSAGE_NOT_FOUND: 'Map Message ID from the step that scheduled the message.',
  MESSAGE_NOT_SCHEDULED: 'Only scheduled messages can be canceled. Use Find Message to see what happened to this one.',
  INVALID_WEBHOOK_URL:
    "Passbell cannot reach Zapier's webhook address. Ask the operator of your Passbell server to check its access to the internet.",
};

/** Returns the advice on an error; undefined if there is none, as for errors whose hint depends on the request. */
export function adviceFor(code: string): string | undefined {
  const advice = OWN_ADVICE[code] ?? (ADVICE as Readonly<Record<string, string>>)[code];
  return advice?.replace(/\{(\w+)\}/g, (_all, word: string) => WORDS[word] ?? '');
}

/** Errors whose hint depends on the request, so that the server's hint is more precise than any here. */
export const SERVER_HINTS: readonly string[] = [
  'INVALID_RECIPIENT',
  'NUMBER_NOT_ALLOWED',
  'UNKNOWN_TEMPLATE',
  'FRAUD_SUSPECTED',
];
