/**
 * `/llms.txt` for programs that read documentation, and the guides as Markdown. Each guide has its path in the repository, so that
 * the links between guides work.
 */
import { Router } from 'express';
import { readGuides } from './docs/guides.js';

/** Returns a list entry with the title and the first sentence of a guide. */
function entryOf(path: string, text: string): string {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const [, paragraph = ''] = /^# .+\n+([A-Za-z][\s\S]*?)\n\n/m.exec(text) ?? [];
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  const [sentence = ''] = /^.+?[.:](?= |$)/.exec(plain) ?? [];
  return `- [${title}](/${path})${sentence && `: ${sentence}`}`;
}

const llmsText = (entries: readonly string[]): string => `# Passbell

> Sends one-time passcodes by SMS, WhatsApp, voice call and email, verifies them, and issues signed session tokens. Links and paths
> on this page are relative to this server.

Every request to the API is a POST with a JSON body to \`/api/v1/…\`, or a GET, with the headers \`clientId\` (App Key, \`pk_…\`) and
\`clientSecret\` (App Secret, \`sk_…\`). Every reply has HTTP status 200: branch on \`success\`. A failure has a \`message\`, a stable
\`code\` and, where waiting helps, \`retryAfterSeconds\`. The first start of the server prints the credentials of a demo application;
\`npm run --silent passbell -- app create --name "My shop"\` on the server creates others.

1. Send a code: \`POST /api/v1/auth/sendotp\` with \`{"to": "+14155550188"}\`, or with an email address as \`to\`. Store
   \`data.results[0].maskId\` of the reply.
2. The recipient reads the code. On a developer's machine nothing is really sent: the newest message to a recipient is the first
   element of \`GET /dev/inbox.json?to=%2B14155550188\`, and its \`text\` contains the code of 6 digits.
3. Verify it: \`POST /api/v1/auth/verifyotp\` with \`{"maskId": "…", "otp": "…"}\`. \`data.token\` of the reply is a session token, and
   \`data.user\` is the verified user. A wrong code has \`code\` \`INVALID_OTP\`.
4. Check a token later: \`POST /api/v1/auth/verifytoken\` with \`{"token": "…"}\`.

A second code to the same recipient is refused for 30 seconds (\`COOLDOWN\`). Never call the API from a browser.

## API

- [OpenAPI description](/openapi.json): every operation, parameter, reply and error code.
- [Error codes](/docs/errors): what each means, and what to do.
- [Public keys](/.well-known/jwks.json): verify session tokens without a call.

## Guides

${entries.join('\n')}
`;

export function guidesRoutes(): Router {
  const router = Router();
  const guides = readGuides();
  const index = llmsText(guides.map(({ file, text }) => entryOf(file, text)));
  router.get('/llms.txt', (_request, response) => void response.type('text/plain').send(index));
  for (const { file, text } of guides)
    router.get(`/${file}`, (_request, response) => void response.type('text/markdown').send(text));
  return router;
}
