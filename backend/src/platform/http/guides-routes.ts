/**
 * `/llms.txt` for programs that read documentation, the guides as Markdown, and examples. Each file is served at its
 * path in the repository, so that links between guides work.
 */
import { Router } from 'express';
import { readGuides, readLinkedFiles } from './docs/guides.js';
import { SAMPLE_URL } from './docs/markdown.js';
import { withOperatorCommand } from '../config/operator-command.js';

/** Returns a list entry with the title and the first sentence of a guide. */
function entryOf(path: string, text: string): string {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const [, paragraph = ''] = /^# .+\n+([A-Za-z][\s\S]*?)\n\n/m.exec(text) ?? [];
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^[\]]+)\]\([^)]*\)/g, '$1');
  const [sentence = ''] = /^.+?[.:](?= |$)/.exec(plain) ?? [];
  return `- [${title}](/${path})${sentence && `: ${sentence}`}`;
}

const llmsText = (entries: readonly string[]): string => `# Passbell

> Sends one-time passcodes by SMS, WhatsApp, voice call and email, verifies them, and issues signed session tokens. Links and paths
> on this page are relative to this server.

Every request to the API is a POST with a JSON body to \`/api/v1/…\`, or a GET, with the headers \`clientId\` (App Key, \`pk_…\`) and
\`clientSecret\` (App Secret, \`sk_…\`); a POST also has \`Content-Type: application/json\`. Replies have HTTP status 200, also for failures: branch on
\`success\`. The exceptions are an unknown path (404) and a request that is not valid HTTP
(400 or 408). A failure has a \`message\`, a stable \`code\`, a \`hint\` and, where waiting helps, \`retryAfterSeconds\`. The first start of
the server prints the credentials of a demo application, once; \`npm run --silent passbell -- app create --name "My shop"\` on the server
creates others.

1. Send a code: \`POST /api/v1/auth/sendotp\` with \`{"to": "+14155550188", "clientIp": "198.51.100.7"}\`, or with an email address as
   \`to\`. \`clientIp\` is the IP address of the end user who requested the code; the fraud guard needs it. To choose the channel of
   a phone number, add \`authWay\`: \`SMS\`, \`WHATSAPP\` or \`VOICE\`. Store \`data.results[0].maskId\` of the reply.
2. The recipient reads the code. On a developer's machine nothing is really sent: the newest message to a recipient is the first
   element of the array at \`GET /dev/inbox.json?to=%2B14155550188\`, which needs no headers. Its \`code\` is the code, as a string.
3. Verify it: \`POST /api/v1/auth/verifyotp\` with \`{"maskId": "…", "otp": "…"}\`. \`data.token\` of the reply is a session token, which is
   valid for \`data.expiresIn\` seconds, and \`data.user\` is the verified user: \`userId\`, and \`phone\` or \`email\`. A code is valid once, for 5 minutes. Failures have the
   \`code\` \`INVALID_OTP\` (wrong, or already used), \`OTP_EXPIRED\`, or after 5 wrong codes \`OTP_LOCKED\`.
4. Check a token later: \`POST /api/v1/auth/verifytoken\` with \`{"token": "…"}\`. Its reply has \`data.userId\`. Unlike a check of the
   signature with the public keys, this call also detects a revoked token.
5. To log out, revoke it: \`POST /api/v1/auth/revokesession\` with \`{"token": "…"}\`.

A second code to the same recipient is refused for 30 seconds (\`COOLDOWN\`). Never call the API from a browser. Complete login forms:
[Express](/examples/express/server.mjs), [Flask](/examples/flask/app.py) and Next.js ([send](/examples/nextjs/app/login/send/route.js),
[verify](/examples/nextjs/app/login/verify/route.js)).

## API

- [OpenAPI description](/openapi.json): every operation, parameter, reply and error code.
- [Error codes](/docs/errors.md): what each means, and what to do.
- [Public keys](/.well-known/jwks.json): verify session tokens without a call.

## Guides

${entries.join('\n')}
`;

/** `url`: the service's public URL, which replaces {@link SAMPLE_URL} in the guides. */
export function guidesRoutes(url: string): Router {
  const router = Router();
  const guides = readGuides();
  const index = llmsText(guides.map(({ file, text }) => entryOf(file, text)));
  router.get('/llms.txt', (_request, response) => void response.type('text/plain').send(withOperatorCommand(index)));
  for (const { file, text } of guides)
    router.get(
      `/${file}`,
      (_request, response) =>
        void response.type('text/markdown').send(withOperatorCommand(text.replaceAll(SAMPLE_URL, url))),
    );
  for (const { file, text } of readLinkedFiles(guides))
    router.get(`/${file}`, (_request, response) => void response.type('text/plain').send(text));
  return router;
}
