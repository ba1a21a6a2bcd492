/** The page `/docs/errors`, which lists the error codes in the contract. Replies link to the headings of the codes. */
import { errorTopics, type DescribedError } from '../../platform/contract/contract.js';
import type { ErrorCode } from '../../platform/contract/errors.js';
import { statusOfError } from '../../platform/http/error-status.js';

/** Returns the status, the message and the hint, with examples in italics in the place of placeholders such as `{field}`. */
function textOf(code: ErrorCode, { message, hint, throttled, example }: DescribedError): string {
  const values = new Map(Object.entries({ retryAfterSeconds: '30', ...example }));
  const text = `**${statusOfError(code)}** ${message}\n\n${hint}${throttled ? ' The error includes `retryAfterSeconds`.' : ''}`;
  const filled = text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => `*${values.get(name)}*`);
  return filled.replace('See /docs for', 'See [/docs](/docs/api) for');
}

const topics = Object.entries(errorTopics).map(([topic, codes]) => {
  const rows = Object.entries(codes).map(([code, error]) => `### \`${code}\`\n\n${textOf(code as ErrorCode, error)}`);
  return { topic, rows };
});

/** `contents`: a list of the topics. The page needs none, because it shows its headings beside or above the text. */
const textWith = (...contents: string[]): string =>
  [
    `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value. If the same call can succeed later, the reply has \`retryAfterSeconds\`. The HTTP status is 200. Only calls with
\`Prefer: http-status\`, calls to the management API, unknown paths and malformed requests get the HTTP status in **bold**. Retry a call only after you have removed the cause, unless the description of the code says otherwise. Values in *italics* are examples. The [API reference](/docs/api) describes all calls and parameters.`,
    ...contents,
    ...topics.flatMap(({ topic, rows }) => [`## ${topic}`, ...rows]),
  ].join('\n\n');

export const ERRORS_PAGE = textWith();
export const ERRORS_MARKDOWN = textWith(
  topics.map(({ topic }) => `[${topic}](#${topic.toLowerCase().replaceAll(' ', '-')})`).join(' · '),
);

/** Says "HTTP" before the statuses for screen readers. */
export const errorsHtml = (html: string): string =>
  html.replace(/<strong>(?=\d{3}<\/strong>)/g, '<strong><span class="unseen">HTTP </span>');
