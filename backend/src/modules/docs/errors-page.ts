/** The page `/docs/errors`, which lists all error codes in the contract. Replies link to the headings of the codes. */
import { ERRORS } from '../../platform/contract/generated/errors.js';

type Samples = Readonly<Record<string, string>>;

/** Values for the placeholders in the contract's texts, so that each text reads like a real reply. */
const SAMPLES: Samples = {
  retryAfterSeconds: '30',
  field: 'maskId',
  channel: 'WHATSAPP',
  reason: 'the provider rejected the number',
  allowed: 'POST',
};

/** Values for placeholders that mean something else in each code. */
const SAMPLES_BY_CODE: Readonly<Record<string, Samples>> = {
  INVALID_PARAMETER: { text: 'otpLength must be a whole number from 4 to 10 (digits)' },
  UNKNOWN_TEMPLATE: { names: 'order_placed, order_confirmed, …' },
  RECIPIENT_SUPPRESSED: { since: '2026-11-26', cause: 'the address does not exist or rejects all emails' },
  NOTIFICATION_LIMIT: { scope: 'to this recipient', setting: 'Notifications to one recipient in 24 hours' },
  APPLICATION_DAILY_LIMIT: { setting: 'Daily budget' },
  MISSING_TEMPLATE_VARIABLES: { names: 'orderId, amount' },
  ATTACHMENT_REJECTED: { text: 'it is larger than 5 MB' },
  NUMBER_NOT_ALLOWED: { text: 'This is a landline. Use a mobile number, or set authWay to VOICE for a call.' },
  FRAUD_SUSPECTED: {
    text: 'Unusually few recipients in this country enter their codes. Offer the person another channel, such as email.',
  },
};

/** Topics by their first code, in the order of the contract. */
const TOPICS = new Map([
  ['MISSING_CREDENTIALS', 'API credentials and accounts'],
  ['MISSING_PARAMETERS', 'Parameters and recipients'],
  ['COOLDOWN', 'Limits and fraud'],
  ['SEND_FAILED', 'Messages'],
  ['INVALID_OTP', 'Codes'],
  ['INVALID_TOKEN', 'Sessions and two-factor'],
  ['INVALID_WEBHOOK_URL', 'Webhooks'],
  ['INVALID_IDEMPOTENCY_KEY', 'Requests'],
  ['FORBIDDEN', 'Management API'],
  ['METHOD_NOT_ALLOWED', 'Paths and server'],
]);

/** Parameters, settings, values and addresses, which the texts for programs contain without formatting. */
const CODE =
  /https?:\/\/[\w./-]*\w|(?:GET )?\/(?:api\/v1|webhooks)\b|\+\d{6,}|\b(?:DEV_INBOX=on|(?<!\{)[a-z]+[A-Z]\w+|[A-Z]+_[A-Z_]+|data-usertoken|If-Match|Idempotency-Key|SMS(?=, W)|WHATSAPP|VOICE|EMAIL|(?:fraud|message|otp|recipient)\.\w+)\b/g;

/** Pages that the texts name. */
const LINKS = new Map([
  ['See /docs for all parameters', 'See the [API reference](/docs/api) for all parameters'],
  ['two-factor guide', '[two-factor guide](/docs/two-factor#usertoken-your-server-confirms-who-the-user-is)'],
  ['Suppressions page', '[Suppressions page](/dashboard/suppressions)'],
  ["application's settings", "[application's settings](/dashboard/applications)"],
  ["application's Overview page", "[application's Overview page](/dashboard/applications)"],
  ["application's Allow-list page", "[application's Allow-list page](/dashboard/applications)"],
  ['under Messages', 'under [Messages](/dashboard/messages)'],
  ['Owners create API keys', 'Owners create [API keys](/dashboard/api-keys)'],
  ['solve the challenge', 'solve the [challenge](/docs/challenge)'],
]);

/** Replaces placeholders such as `{field}` with samples in italics. */
const withSamples = (code: string, text: string): string =>
  text.replace(
    /\{(\w+)\}/g,
    (_placeholder, name: string) => `*${SAMPLES_BY_CODE[code]?.[name] ?? SAMPLES[name] ?? '…'}*`,
  );

const withCode = (text: string): string => text.replace(CODE, '`$&`').replace(/“(to|challenge)”/g, '`$1`');

function hintOf(code: string, hint: string): string {
  const linked = [...LINKS].reduce((text, [page, link]) => text.replace(page, link), withCode(hint));
  return withSamples(code, hint === '{text}' ? 'For example: {text}' : linked).replace(
    'parameter *maskId*',
    'parameter that `field` names, for example `maskId`',
  );
}

type Entry = [string, { message: string; hint: string; throttled?: boolean }];

/** Returns when to retry, if it differs from the default: throttled errors go away by themselves. */
function retryOf([code, { throttled }]: Entry): string {
  if (throttled) return '\n\nRetry: after `retryAfterSeconds`.';
  return code === 'INTERNAL_ERROR' ? '\n\nRetry: once.' : '';
}

function sectionOf(entry: Entry): string {
  const [code, { message, hint }] = entry;
  const topic = TOPICS.get(code);
  const start = topic === undefined ? '' : `## ${topic}\n\n`;
  return `${start}### \`${code}\`\n\n> ${withSamples(code, withCode(message))}\n\n${hintOf(code, hint)}${retryOf(entry)}`;
}

export const ERRORS_MARKDOWN = `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value. Replies to errors that end by themselves have \`retryAfterSeconds\`. Retry a call only after you have removed the cause, unless its
code says otherwise. Values in *italics* are examples. The [API reference](/docs/api) describes all calls and parameters.

${Object.entries(ERRORS).map(sectionOf).join('\n\n')}
`;
