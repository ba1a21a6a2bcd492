/** The page `/docs/errors`, which lists the error codes in the contract. Replies link to the headings of the codes. */
import { errorTopics, type DescribedError } from '../../platform/contract/contract.js';
import type { ErrorCode } from '../../platform/contract/errors.js';
import { statusOfError } from '../../platform/http/error-status.js';

/** Returns the status, the message and the hint, with examples in italics in the place of placeholders such as `{field}`. */
function textOf(code: ErrorCode, { message, hint, throttled, example }: DescribedError): string {
  const values = new Map(Object.entries({ retryAfterSeconds: '30', ...example }));
  const text = `HTTP ${statusOfError(code)}: ${message}\\\n${hint}${throttled ? ' Retry after `retryAfterSeconds`.' : ''}`;
  const filled = text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => `*${values.get(name)}*`);
  return filled.replace('See /docs for', 'See [/docs](/docs/api) for');
}

/**
 * Marks the statuses and the messages in the HTML of the page, and removes the list of topics, which the page already
 * shows beside or above the text.
 */
export const errorsHtml = (html: string): string =>
  html
    .replace(
      /<p>HTTP (\d+): (.*?)<br>/g,
      '<p><strong><span class="unseen">HTTP </span>$1</strong> <span class="message">$2</span><br>',
    )
    .replace(/<p><a href="#[^]*?<\/p>\n/, '');

const topics = Object.entries(errorTopics).map(([topic, codes]) => {
  const rows = Object.entries(codes).map(([code, error]) => `### \`${code}\`\n\n${textOf(code as ErrorCode, error)}`);
  return { topic, rows };
});

export const ERRORS_MARKDOWN = `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value. Replies to errors that end by themselves have \`retryAfterSeconds\`. The HTTP status is 200. The management
API, unknown paths, and calls with \`Prefer: http-status\` get the status below. Retry a call only after you have removed the cause, unless its code says otherwise. Values in *italics* are examples. The [API reference](/docs/api) describes all calls and parameters.

${topics.map(({ topic }) => `[${topic}](#${topic.toLowerCase().replaceAll(' ', '-')})`).join(' · ')}

${topics.map(({ topic, rows }) => [`## ${topic}`, ...rows].join('\n\n')).join('\n\n')}
`;
