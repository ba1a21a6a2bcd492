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

/** Replaces placeholders such as `{field}` with samples. */
const readable = (code: string, text: string): string =>
  text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => SAMPLES_BY_CODE[code]?.[name] ?? SAMPLES[name] ?? '…');

type Entry = [string, { message: string; hint: string; throttled?: boolean }];

const sectionOf = ([code, { message, hint, throttled }]: Entry): string =>
  `## ${code}\n\n> ${readable(code, message)}\n\n${readable(code, hint)}${throttled ? ' The reply includes `retryAfterSeconds`.' : ''}`;

export const ERRORS_MARKDOWN = `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value. Texts that depend on the request are shown with example values. The [API reference](/docs/api) describes all
calls and parameters.

${Object.entries(ERRORS).map(sectionOf).join('\n\n')}
`;
