/** Sample commands and programs that send and verify a code. They contain the App Key and the service URL. */

export interface SnippetValues {
  /** Service URL, without `/api/v1`. */
  readonly serviceUrl: string;
  readonly appKey: string;
  readonly to: string;
}

/** Escapes single quotes for a single-quoted shell string. Email addresses may contain them. */
const escapeForShell = (text: string): string => text.replaceAll("'", `'\\''`);

/** Returns a string literal that is valid in both JavaScript and PHP. */
const stringLiteral = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const SECRET_PLACEHOLDER = 'paste your App Secret here';

/** Stands for the end user's IP address, from the range for documentation. */
const SAMPLE_IP = '198.51.100.7';

/** Shell command that sets the environment variable from which the snippets read the App Secret. */
export const SECRET_ASSIGNMENT = `APP_SECRET='${SECRET_PLACEHOLDER}'`;

const curlCommand = ({ serviceUrl, appKey }: SnippetValues, path: string, ...options: string[]): string =>
  [
    `curl -s '${serviceUrl}/api/v1/auth/${path}'`,
    `-H 'clientId: ${appKey}'`,
    '-H "clientSecret: $APP_SECRET"',
    ...options,
  ].join(' \\\n  ');

const JSON_HEADER = "-H 'Content-Type: application/json'";

export const curlCheck = (values: SnippetValues): string => curlCommand(values, 'authentication');

export const curlSend = (values: SnippetValues): string =>
  curlCommand(
    values,
    'sendotp',
    JSON_HEADER,
    `-d '${escapeForShell(JSON.stringify({ to: values.to, clientIp: SAMPLE_IP }))}'`,
  );

export const curlVerify = (values: SnippetValues): string =>
  curlCommand(values, 'verifyotp', JSON_HEADER, '-d "{\\"maskId\\": \\"$MASK_ID\\", \\"otp\\": \\"$CODE\\"}"');

export const nodeProgram = ({ serviceUrl, appKey, to }: SnippetValues): string => `// send-code.mjs
import { createInterface } from 'node:readline/promises';

async function passbell(path, body) {
  const response = await fetch(${stringLiteral(`${serviceUrl}/api/v1`)} + path, {
    method: 'POST',
    headers: {
      clientId: ${stringLiteral(appKey)},
      clientSecret: process.env.APP_SECRET,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const reply = await response.json();
  // Failures also have status 200, so check the body.
  if (!reply.success) throw new Error(reply.message);
  return reply;
}

// The IP address of the user who requested the code, such as request.ip in Express.
const clientIp = '${SAMPLE_IP}';
const sent = await passbell('/auth/sendotp', { to: ${stringLiteral(to)}, clientIp });
// You need the maskId to verify the code.
const { maskId } = sent.data.results[0];

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const otp = await terminal.question('Code: ');
terminal.close();

const verified = await passbell('/auth/verifyotp', { maskId, otp });
console.log(verified.message, verified.data.user.userId);
`;

export const phpProgram = ({ serviceUrl, appKey, to }: SnippetValues): string => `<?php
// send-code.php

function passbell(string $path, array $body): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'clientId: ' . ${stringLiteral(appKey)},
            'clientSecret: ' . getenv('APP_SECRET'),
            'Content-Type: application/json',
        ],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'follow_location' => 0,
        'timeout' => 10,
    ]]);
    $url = ${stringLiteral(`${serviceUrl}/api/v1`)} . $path;
    $reply = file_get_contents($url, false, $context);
    if ($reply === false) {
        throw new RuntimeException('Passbell does not respond');
    }
    $reply = json_decode($reply, true, 16, JSON_THROW_ON_ERROR);
    // Failures also have status 200, so check the body.
    if (!$reply['success']) {
        throw new RuntimeException($reply['message']);
    }
    return $reply;
}

// The IP address of the user who requested the code, such as $_SERVER['REMOTE_ADDR'].
$clientIp = '${SAMPLE_IP}';
$sent = passbell('/auth/sendotp', ['to' => ${stringLiteral(to)}, 'clientIp' => $clientIp]);
// You need the maskId to verify the code.
$maskId = $sent['data']['results'][0]['maskId'];

echo 'Code: ';
$otp = trim(fgets(STDIN));

$answer = ['maskId' => $maskId, 'otp' => $otp];
$verified = passbell('/auth/verifyotp', $answer);
echo $verified['message'], ' ', $verified['data']['user']['userId'], "\\n";
`;
