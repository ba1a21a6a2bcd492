/** A mail as a document of its own, in a frame that can do nothing but show it. */
import { framed, type Answer } from '../page.js';

/** No script, no form, nothing from elsewhere, in nobody's frame but ours; a sandbox also when it is opened by itself. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

export const SCHEMES = ['auto', 'light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export const schemeIn = (text: string): Scheme => SCHEMES.find((scheme) => scheme === text) ?? 'auto';

/** How our layout asks for the reader's scheme; a text in it cannot hold this, since it has no line breaks there. */
const ASKS = '@media (prefers-color-scheme: dark) {\n';

/** The mail as somebody sees it whose device is light or dark. */
function inScheme(html: string, scheme: Scheme): string {
  if (scheme === 'auto') return html;
  return html
    .replace(':root { color-scheme: light dark;', `:root { color-scheme: ${scheme};`)
    .replace(ASKS, `@media ${scheme === 'dark' ? 'all' : 'not all'} {\n`);
}

export const mailFrame = (html: string, scheme: Scheme): Answer => framed(inScheme(html, scheme), POLICY);

/** In place of a mail whose text has a mistake. */
export const emptyFrame = (): Answer =>
  framed(
    '<!doctype html><meta name="color-scheme" content="light dark"><title>No preview</title><style>body{font:15px system-ui,sans-serif;padding:24px}</style><p>The mail shows here as soon as its text is right.</p>',
    POLICY,
  );
