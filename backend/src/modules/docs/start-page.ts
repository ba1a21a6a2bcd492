/** The start page at `/`, for people who open the service in a browser. */
import { documentHtml, ICON_PATH } from './layout.js';

const PLACES = [
  ['/dashboard', 'Dashboard', 'Applications, channels, messages and people'],
  ['/docs/quick-start', 'Quick start', 'Send and verify the first code in five minutes'],
  ['/docs', 'Documentation', 'All guides, ready to print'],
  ['/docs/api', 'API reference', 'Every operation, with examples in five languages'],
] as const;

export const START_PAGE = documentHtml(
  'Passbell',
  `<main class="start">
<p class="brand"><img src="${ICON_PATH}" alt="" width="40" height="40"></p>
<h1>Passbell</h1>
<p class="lead">This server sends one-time passcodes by SMS, WhatsApp, voice call and email, and verifies them.</p>
<ul class="places">
${PLACES.map(([path, label, text]) => `<li><a href="${path}">${label}</a><span>${text}</span></li>`).join('\n')}
</ul>
<p class="quiet">For programs: <a href="/openapi.json">OpenAPI</a>, <a href="/llms.txt">llms.txt</a>,
<a href="/.well-known/jwks.json">public keys</a>. The base URL of the API is <code>/api/v1</code>.</p>
</main>`,
);
