/** Shows an email as a separate document, in a frame without any permissions. */
import { framed, type PageReply } from '../page.js';

/**
 * The Content-Security-Policy of the document. `sandbox` also applies when the document is opened outside of the frame.
 */
const EMAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/**
 * The media query for dark mode in the layout of emails. The line break at the end tells it apart from a text that
 * quotes it.
 */
const DARK_QUERY = '@media (prefers-color-scheme: dark) {\n';

function inScheme(html: string, scheme: string): string {
  if (scheme !== 'light' && scheme !== 'dark') return html;
  return html
    .replace(':root { color-scheme: light dark;', `:root { color-scheme: ${scheme};`)
    .replace(DARK_QUERY, `@media ${scheme === 'dark' ? 'all' : 'not all'} {\n`);
}

/** The document that is shown while the text of the email has mistakes. */
const NO_PREVIEW =
  '<!doctype html><meta name="color-scheme" content="light dark"><title>No preview</title><style>body{font:15px system-ui,sans-serif;padding:24px}</style><p>The mail shows here as soon as its text is right.</p>';

/** Returns the document. `scheme` is `light` or `dark`; any other value selects the colour scheme of the device. */
export const emailFrame = (html: string | undefined, scheme: string): PageReply =>
  framed(html === undefined ? NO_PREVIEW : inScheme(html, scheme), EMAIL_POLICY);
