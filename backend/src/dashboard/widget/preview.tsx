/** The real widget in a frame of our own, in any of its states. */
import { ASSETS } from '../http/assets.js';
import { previewSamples, SAMPLE_PERSON } from './preview-samples.js';

const WIDGET = '/js/v1/auth-2fasdk.js';

export const PREVIEW_PATH = '/widget-preview';

/** Nothing in the frame has an origin, and nothing in it can call anywhere; only pages of ours may frame it. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // An application's logo.
  'img-src https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // As the frame has it, for who opens the page by itself.
  'sandbox allow-scripts',
].join('; ');

/** `<` cannot end the element that the samples are in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The page in the frame: it holds samples and nothing of anybody. */
export async function previewDocument(): Promise<string> {
  const samples = inScript(await previewSamples());
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Preview of the widget</title>
    <link rel="stylesheet" href="/dashboard${ASSETS.previewStyle.path}">
  </head>
  <body>
    <script type="application/json" id="samples" data-script="${WIDGET}" data-person="${SAMPLE_PERSON}">${samples}</script>
    <script src="/dashboard${ASSETS.previewScript.path}"></script>
  </body>
</html>
`;
}

/** As widget-preview.js has them. */
const STATES = [
  ['enrol', 'Set up: scan the code'],
  ['confirm', 'Set up: first code'],
  ['codes', 'Set up: recovery codes'],
  ['enter', 'Enter a code'],
  ['wrong', 'Wrong code'],
  ['recovery', 'Enter a recovery code'],
  ['verified', 'Verified'],
  ['locked', 'Locked'],
  ['error', 'Something failed'],
] as const;

/** The page's script loads the frame and fills it from the form; without script there is nothing to preview with. */
export function Preview() {
  return (
    <section class="card preview" aria-labelledby="preview-title" id="preview" hidden>
      <div class="preview-head">
        <h2 id="preview-title">Preview</h2>
        <div class="actions">
          <select id="preview-state" aria-label="State of the widget">
            {STATES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select id="preview-theme" aria-label="Look of the visitor's system">
            <option value="light">Light system</option>
            <option value="dark">Dark system</option>
          </select>
        </div>
      </div>
      <iframe
        id="preview-frame"
        title="The widget as visitors see it"
        data-src={`/dashboard${PREVIEW_PATH}`}
        sandbox="allow-scripts"
        height="520"
      />
      <p class="hint">The real widget, with a person who does not exist. Nothing that you do in it reaches anybody.</p>
    </section>
  );
}
