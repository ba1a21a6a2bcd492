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
}

/** Errors that the node itself detects. */
type NodeCode = 'UNREACHABLE' | 'GATEWAY' | 'NOT_PASSBELL' | 'NO_CREDENTIAL' | 'INVALID_INPUT' | 'WRONG_RECIPIENT';
type ErrorCode = keyof typeof ERRORS | NodeCode;

const KEYS = 'Check the App Key and the App Secret in the Passbell credential.';
const OPERATOR = 'Ask the operator of your Passbell server.';
const TOKEN =
  'Use the token from a successful Verify OTP. If it has expired or was revoked, send the person a new code.';

/** Advice by error code. For codes that are missing here, the server's hint is shown. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  MISSING_CREDENTIALS: KEYS,
  INVALID_CREDENTIALS: KEYS,
  APPLICATION_INACTIVE: `The application is inactive. ${OPERATOR}`,
  USER_INACTIVE: `The account is inactive. ${OPERATOR}`,
  ACCOUNT_BLOCKED: `The account is blocked. ${OPERATOR}`,
  INVALID_ENDPOINT: "Add the IP address of this n8n instance to the application's allow-list, or clear the list.",
  TOO_MANY_FAILED_AUTHENTICATIONS: KEYS,
  MISSING_PARAMETERS: 'A required field is empty. If it contains an expression, check its value for this item.',
  INVALID_PARAMETER: 'Correct the field named in the message.',
  MISSING_RECIPIENT: 'Fill in To: a phone number with country code, or an email address.',
  COUNTRY_NOT_ALLOWED: 'Allow the country of this phone number in the settings of the application.',
  INVALID_AUTH_WAY: 'Choose SMS, WhatsApp, Voice Call, Email or Automatic.',
  CHANNEL_NOT_CONFIGURED: 'Choose another channel, or set this one up on the Passbell server.',
  MISSING_TEMPLATE_VARIABLES: 'Fill in the variables listed in the message.',
  RECIPIENT_SUPPRESSED:
    'Emails to this address bounced or were marked as spam. Check the address, and remove it from the suppression list in the dashboard.',
  RECIPIENT_OPTED_OUT:
    'The recipient has stopped order notifications on this channel. Leave the recipient out, or choose another channel.',
  ATTACHMENT_REJECTED: 'Check that Attachment URL links to a PDF of at most 5 MB that anyone can download.',
  COOLDOWN: 'Wait, or set the Max Wait When Rate-Limited option so that this node waits automatically.',
  DUPLICATE_NOTIFICATION:
    'The same notification was just sent to this recipient. Check whether the input contains the item twice.',
  BURST_LIMIT: 'Set the Max Wait When Rate-Limited option, or send in smaller batches.',
  RECIPIENT_LIMIT: 'The account has sent this recipient too many messages. Check whether a workflow runs in a loop.',
  APPLICATION_DAILY_LIMIT:
    'The application has reached its budget for today. Raise it under Limits in the settings of the application.',
  ACCOUNT_DAILY_LIMIT: `The account has reached its message limit or its budget for today. ${OPERATOR}`,
  CHALLENGE_REQUIRED:
    "A workflow cannot solve a challenge, which is made for the person's browser. Turn off the challenge of the application, or use another application for n8n.",
  SEND_FAILED:
    "Check the recipient, and the channel's provider on the Passbell server. A retry of this execution returns the same result. A new execution tries again.",
  INVALID_OTP: 'Ask for the code again, or send a new one. A code works once.',
  OTP_EXPIRED: 'Send a new code.',
  OTP_LOCKED: 'Too many wrong codes were entered. Wait, or send a new code later.',
  INVALID_TOKEN: TOKEN,
  TOKEN_EXPIRED: TOKEN,
  TOKEN_REVOKED: TOKEN,
  TOO_MANY_CALLS: 'Wait, or set the Max Wait When Rate-Limited option so that this node waits automatically.',
  IDEMPOTENCY_KEY_REUSED:
    'This item was already sent with other values, so it was not sent again. To send it, start a new execution or set another Idempotency Key.',
  IDEMPOTENCY_IN_FLIGHT: 'The first attempt is still in progress. Try again after the time in the message.',
  INVALID_IDEMPOTENCY_KEY: 'Use a shorter Idempotency Key.',
  INVALID_WEBHOOK_URL:
    'Passbell must be able to reach this n8n instance. Set the public address of n8n (WEBHOOK_URL), or allow private addresses on the Passbell server (WEBHOOKS_ALLOW_PRIVATE).',
  INVALID_EVENTS: 'Choose at least one event.',
  TOO_MANY_WEBHOOKS: 'Deactivate a workflow with a Passbell Trigger that you no longer need.',
  MESSAGE_NOT_FOUND: 'Use a Message ID that was returned to the same application.',
  MESSAGE_NOT_SCHEDULED: 'Only scheduled messages can be canceled. Use Get Status to see what happened to this one.',
  BODY_TOO_LARGE: 'Shorten the fields of this item.',
  NOT_FOUND: 'The server does not know this operation. Check the Base URL, and whether the server is up to date.',
  METHOD_NOT_ALLOWED: 'The server does not know this operation. Check whether it is up to date.',
  OVERLOADED: 'Set the Max Wait When Rate-Limited option, or try again later.',
  SERVICE_UNAVAILABLE: "Try again later. Retry On Fail in this node's settings does not send a second message.",
  INTERNAL_ERROR: OPERATOR,
  UNREACHABLE:
    "Check the Base URL in the Passbell credential, and that the server is running. The request may have arrived. Retry On Fail in this node's settings does not send a second message.",
  GATEWAY:
    "The Passbell server may be down or restarting. The message may have been sent. Retry On Fail in this node's settings does not send a second message.",
  NO_CREDENTIAL: 'Select a Passbell credential in this node.',
  WRONG_RECIPIENT: OPERATOR,
  NOT_PASSBELL:
    'Check the Base URL in the Passbell credential. It must be the address of your Passbell server, such as https://otp.example.com.',
};

/** Advice on how to fix a failure. */
export function adviceFor({ code, hint, field, lockedForSeconds }: Failure): string {
  if (code === 'MISSING_PARAMETERS' && field !== undefined)
    return `${field} is empty. If it contains an expression, check its value for this item.`;
  if (lockedForSeconds !== undefined && hint !== undefined) return hint;
  return ADVICE[code as ErrorCode] ?? hint ?? 'Fix the problem that the message describes, and run this item again.';
}

/** A failure that the node detects before it calls the server. */
export class InvalidInput extends Error {
  readonly failure: Failure;

  constructor(message: string) {
    super(message);
    this.failure = { code: 'INVALID_INPUT', message };
  }
}
