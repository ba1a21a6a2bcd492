/** Advice for failures whose message does not include any. */
import { ADVICE } from './generated/connectors.js';

/** Words of Zapier in the advice that all hosts have. */
const WORDS: Readonly<Record<string, string>> = {
  connection: 'the connection',
  flow: 'Zap',
  app: 'Zapier',
  unknown: '',
  retry:
    'For 24 hours, the same message with the same Reference gets the same result. To try again, change the Reference.',
  token: 'Map Session Token from a Verify Code step.',
};

const RECONNECT = 'Reconnect with the App Key and the App Secret of the application.';

/** Advice that replaces that of all hosts. */
const OWN_ADVICE: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: RECONNECT,
  MISSING_CREDENTIALS: RECONNECT,
  INVALID_ENDPOINT:
    "Zapier's IP addresses change, so clear the application's allow-list, or use another application for Zapier.",
  MISSING_RECIPIENT: 'To is empty. Map a phone number or an email address.',
  MESSAGE_NOT_FOUND: 'Map Message ID from the step that scheduled the message.',
  MESSAGE_NOT_SCHEDULED: 'Only scheduled messages can be canceled. Use Find Message to see what happened to this one.',
  INVALID_WEBHOOK_URL:
    "Passbell cannot reach Zapier's webhook address. Ask the operator of your Passbell server to check its access to the internet.",
};

/** Returns the advice on an error; undefined if there is none, as for errors whose hint depends on the request. */
export function adviceFor(code: string): string | undefined {
  const advice = OWN_ADVICE[code] ?? (ADVICE as Readonly<Record<string, string>>)[code];
  return advice?.replace(/\{(\w+)\}/g, (_all, word: string) => WORDS[word] ?? '').trim();
}

/** Errors whose hint depends on the request, so that the server's hint is more precise than any here. */
export const SERVER_HINTS: readonly string[] = [
  'INVALID_RECIPIENT',
  'NUMBER_NOT_ALLOWED',
  'CHANNEL_NOT_CONFIGURED',
  'UNKNOWN_TEMPLATE',
  'FRAUD_SUSPECTED',
];
