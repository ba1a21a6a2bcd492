import { ADVICE as SHARED } from './generated/connectors';
import type { ERRORS } from './generated/errors';

/** A reply with `success: false`, or no valid reply. */
export interface Failure {
  /** An error code of the contract, or a {@link NodeCode} if there is no reply from Passbell. */
  code: string;
  /** The server's error message. */
  message: string;
  /** The server's advice, for errors whose advice depends on the request. */
  hint?: string;
  /** Label of the field that caused the error. */
  field?: string;
  /** Seconds to wait before the same call can succeed. */
  retryAfterSeconds?: number;
  /** Number of wrong codes left until the verification is locked. */
  attemptsLeft?: number;
  /** After the last wrong code: seconds for which the verification is locked. */
  lockedForSeconds?: number;
  /** Whether a message may have been sent, although there is no reply. */
  mayBeSent?: boolean;
}

/** Errors that the node itself detects. */
type NodeCode = 'UNREACHABLE' | 'GATEWAY' | 'NOT_PASSBELL' | 'NO_CREDENTIAL' | 'INVALID_INPUT' | 'WRONG_RECIPIENT';
type ErrorCode = keyof typeof ERRORS | NodeCode;

/** Words of n8n in the advice that all hosts have. */
const WORDS: Readonly<Record<string, string>> = {
  connection: 'the Passbell credential',
  flow: 'workflow',
  app: 'n8n',
  retry:
    'For 24 hours, a retry of this execution gets the same result. A new execution tries again, unless it has the same Idempotency Key.',
  unknown: "The message may have been sent. Retry On Fail in this node's settings does not send a second message.",
  token: 'Use the token from a successful Verify Code.',
};

/** Advice that only this node has. For codes without advice here or in `SHARED`, the server's hint is shown. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  MISSING_PARAMETERS: 'A required field is empty. If it contains an expression, check its value for this item.',
  INVALID_AUTH_WAY: 'Choose SMS, WhatsApp, Voice Call, Email or Automatic.',
  COOLDOWN: 'Wait, or set the Max Wait When Rate-Limited option so that this node waits automatically.',
  BURST_LIMIT: 'Set the Max Wait When Rate-Limited option, or send in smaller batches.',
  TOO_MANY_CALLS: 'Wait, or set the Max Wait When Rate-Limited option so that this node waits automatically.',
  IDEMPOTENCY_KEY_REUSED:
    'The same Idempotency Key was already used with other values, so nothing was sent. Set another Idempotency Key, or, if this option is not set, start a new execution.',
  INVALID_IDEMPOTENCY_KEY: 'Use a shorter Idempotency Key.',
  INVALID_WEBHOOK_URL:
    'Passbell must be able to reach this n8n instance. Set the public address of n8n (WEBHOOK_URL), or allow private addresses on the Passbell server (WEBHOOKS_ALLOW_PRIVATE).',
  OVERLOADED: 'Set the Max Wait When Rate-Limited option, or try again later.',
  UNREACHABLE: SHARED.CONNECTION_FAILED,
  GATEWAY: 'The Passbell server may be down or restarting. {unknown}',
  NO_CREDENTIAL: 'Select a Passbell credential in this node.',
  WRONG_RECIPIENT: SHARED.INTERNAL_ERROR,
  NOT_PASSBELL: SHARED.UNEXPECTED_REPLY,
};

/** Advice on how to fix a failure. */
export function adviceFor({ code, hint, field, lockedForSeconds, mayBeSent }: Failure): string {
  if (code === 'MISSING_PARAMETERS' && field !== undefined)
    return `${field} is empty. If it contains an expression, check its value for this item.`;
  if (lockedForSeconds !== undefined && hint !== undefined) return hint;
  const advice = ADVICE[code as ErrorCode] ?? (SHARED as Readonly<Record<string, string>>)[code];
  const words: typeof WORDS = mayBeSent ? WORDS : { ...WORDS, unknown: '' };
  if (advice !== undefined) return advice.replace(/\{(\w+)\}/g, (_all, word: string) => words[word] ?? '').trim();
  return hint ?? 'Fix the problem that the message describes, and run this item again.';
}

/** A failure that the node detects before it calls the server. */
export class InvalidInput extends Error {
  readonly failure: Failure;

  constructor(message: string) {
    super(message);
    this.failure = { code: 'INVALID_INPUT', message };
  }
}
