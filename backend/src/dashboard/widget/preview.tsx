import { ASSETS } from '../http/assets.js';
import { previewSamples, SAMPLE_PERSON } from './preview-samples.js';

export const PREVIEW_PATH = '/widget-preview';

/**
 * Content-Security-Policy of the widget preview. The preview has an opaque origin, cannot send requests, and can be
 * embedded only by the dashboard.
 */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Allows the application's logo.
  'img-src https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // `sandbox` also applies when the preview is opened outside of the iframe.
  'sandbox allow-scripts',
].join('; ');

/** Returns JSON for a script element. Escapes `<`, so that the JSON cannot end the element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

export async function previewDocument(): Promise<string> {
  const samples = scriptJson(await previewSamples());
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Widget preview</title>
    <link rel="stylesheet" href="/dashboard${ASSETS.previewStyle.path}">
  </head>
  <body>
    <script type="application/json" id="samples" data-script="/js/v1/auth-2fasdk.js" data-person="${SAMPLE_PERSON}">${samples}</script>
    <script src="/dashboard${ASSETS.previewScript.path}"></script>
  </body>
</html>
`;
}

/** Widget states that the preview can show, with the titles of their texts in the form. Their names must match widget-preview.js. */
const PREVIEW_STATES = [
  ['enroll', 'Setup: QR code'],
  ['confirm', 'Setup: first code'],
  ['codes', 'Setup: recovery codes'],
  ['enter', 'Enter a code'],
  ['wrong', 'Enter a code: wrong code'],
  ['recovery', 'Enter a recovery code'],
  ['verified', 'Two-factor is on'],
  ['locked', 'Errors: locked'],
  ['error', 'Errors: failure'],
] as const;

/**
 * The widget preview. It is hidden until widget.js loads the iframe and passes the form's design to it. On narrow screens, it is
 * closed at first, small, and stays in view above the fields while it is open.
 */
export function Preview() {
  return (
    <details class="card preview" id="preview" open hidden>
      <summary>
        <h2>Preview</h2>
      </summary>
      <div class="preview-choices">
        <select id="preview-state" aria-label="State of the widget">
          {PREVIEW_STATES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <select id="preview-theme" aria-label="Theme of the visitor's device">
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </div>
      <div class="preview-stage" role="group" aria-label="Widget" tabindex={0}>
        <iframe
          id="preview-frame"
          title="The widget as visitors see it"
          data-src={`/dashboard${PREVIEW_PATH}`}
          sandbox="allow-scripts"
          height="520"
        />
      </div>
      <p class="hint">Live preview with sample data. Nothing here is saved or sent.</p>
    </details>
  );
}
