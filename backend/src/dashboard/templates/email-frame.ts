/** Shows an email preview as a separate document, in an iframe without any permissions. */
import { framed, type PageReply } from '../page.js';

/**
 * Content-Security-Policy of the email preview. `sandbox` also applies when the preview is opened outside of the
 * iframe.
 */
const EMAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/**
 * The dark-mode media query in the email layout. The line break at the end distinguishes it from an email text that
 * contains the same words.
 */
const DARK_QUERY = '@media (prefers-color-scheme: dark) {\n';

function inScheme(html: string, scheme: string): string {
  if (scheme !== 'light' && scheme !== 'dark') return html;
  return html
    .replace(':root { color-scheme: light dark;', `:root { color-scheme: ${scheme};`)
    .replace(DARK_QUERY, `@media ${scheme === 'dark' ? 'all' : 'not all'} {\n`);
}

/** Shown instead of the preview if the email text has errors. */
const NO_PREVIEW =
  '<!doctype html><meta name="color-scheme" content="light dark"><title>No preview</title><style>body{font:15px system-ui,sans-serif;padding:24px}</style><p>Fix the errors in the text to see the preview.</p>';

/** Returns the email preview. `scheme` is `light` or `dark`; any other value selects the device's color scheme. */
export const emailFrame = (html: string | undefined, scheme: string): PageReply =>
  framed(html === undefined ? NO_PREVIEW : inScheme(html, scheme), EMAIL_POLICY);
