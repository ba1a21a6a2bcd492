/**
 * The page `/docs/errors`, which lists all error codes in the contract, as HTML and as Markdown. Each code is an anchor
 * on the page.
 */
import { ERRORS } from '../contract/generated/errors.js';
import { escapeHtml } from './docs/markdown.js';

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
  NOTIFICATION_LIMIT: { scope: 'to this recipient', setting: 'Notifications to one recipient in 24 hours' },
  MISSING_TEMPLATE_VARIABLES: { names: 'orderId, amount' },
  NUMBER_NOT_ALLOWED: { text: 'This is a landline. Use a mobile number, or set authWay to VOICE for a call.' },
  FRAUD_SUSPECTED: {
    text: 'Unusually few recipients in this country enter their codes. Offer the person another channel, such as email.',
  },
};

/** Replaces placeholders such as `{field}` with samples. */
const readable = (code: string, text: string): string =>
  text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => SAMPLES_BY_CODE[code]?.[name] ?? SAMPLES[name] ?? '…');

type Entry = [string, { message: string; hint: string; throttled?: boolean }];

function sectionOf([code, entry]: Entry): string {
  const wait = entry.throttled ? '<p>The reply includes <code>retryAfterSeconds</code>.</p>' : '';
  return `<section id="${code}"><h2><a class="anchor" href="#${code}">${code}</a></h2>
<p><q>${escapeHtml(readable(code, entry.message))}</q></p>
<p>${escapeHtml(readable(code, entry.hint))}</p>${wait}</section>`;
}

export const ERRORS_CONTENT = `<h1>Error codes</h1>
<p>A failed call replies with <code>success: false</code>, a <code>message</code>, a <code>code</code> and a <code>hint</code>.
If a parameter caused the error, <code>field</code> names it and <code>received</code> shows its value.
Texts that depend on the request are shown with example values.
The <a href="/docs/api">API reference</a> describes all calls and parameters.</p>
${Object.entries(ERRORS).map(sectionOf).join('\n')}`;

const markdownOf = ([code, entry]: Entry): string =>
  `## ${code}\n\n> ${readable(code, entry.message)}\n\n${readable(code, entry.hint)}${entry.throttled ? ' The reply includes `retryAfterSeconds`.' : ''}`;

export const ERRORS_MARKDOWN = `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value. Texts that depend on the request are shown with example values.

${Object.entries(ERRORS).map(markdownOf).join('\n\n')}
`;
