/** Sample requests in five languages, for the API reference. */

import type { CodeBlock } from './code-block.js';

export interface SampleRequest {
  readonly method: string;
  /** Path below `/api/v1`, with sample values. */
  readonly path: string;
  /** The request body; undefined if the request has none. */
  readonly body: unknown;
  /** Whether the request needs the API credentials. */
  readonly authenticated: boolean;
}

const json = (body: unknown): string => JSON.stringify(body, null, 2);

const indent = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

function curl(url: string, { method, path, body, authenticated }: SampleRequest): string {
  const parts = [
    `curl -s${method === 'GET' || body !== undefined ? '' : ` -X ${method}`} '${url}/api/v1${path}'`,
    ...(authenticated ? ['-H "clientId: $APP_KEY"', '-H "clientSecret: $APP_SECRET"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${indent(json(body), 2).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(' \\\n  ');
}

function javascript(url: string, { method, path, body, authenticated }: SampleRequest): string {
  const headers = [
    ...(authenticated ? ['clientId: process.env.APP_KEY', 'clientSecret: process.env.APP_SECRET'] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ].map((line) => `\n    ${line},`);
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length > 0 ? [`headers: {${headers.join('')}\n  },`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indent(json(body), 2)}),`]),
  ];
  return `const response = await fetch('${url}/api/v1${path}', {
  ${lines.join('\n  ')}
});
const reply = await response.json();
if (!reply.success) throw new Error(\`\${reply.code}: \${reply.hint}\`);
console.log(reply);`;
}

/** Converts a JSON value to a Python literal. */
const pythonLiteral = (body: unknown): string =>
  json(body)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None');

function python(url: string, { method, path, body, authenticated }: SampleRequest): string {
  const headers = authenticated
    ? `\n    headers={"clientId": os.environ["APP_KEY"], "clientSecret": os.environ["APP_SECRET"]},`
    : '';
  const content = body === undefined ? '' : `\n    json=${indent(pythonLiteral(body), 4)},`;
  return `import os
import requests

reply = requests.request(
    "${method}",
    "${url}/api/v1${path}",${headers}${content}
    timeout=10,
).json()
if not reply["success"]:
    raise RuntimeError(f'{reply["code"]}: {reply["hint"]}')
print(reply)`;
}

/** Converts a JSON value to a PHP literal. */
function phpLiteral(value: unknown, spaces = 0): string {
  const inner = ' '.repeat(spaces + 4);
  if (Array.isArray(value)) return `[${value.map((item) => phpLiteral(item, spaces)).join(', ')}]`;
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
  const lines = Object.entries(value).map(([key, item]) => `${inner}'${key}' => ${phpLiteral(item, spaces + 4)},\n`);
  return `[\n${lines.join('')}${' '.repeat(spaces)}]`;
}

function php(url: string, { method, path, body, authenticated }: SampleRequest): string {
  const headers = [
    ...(authenticated ? ["'clientId: ' . getenv('APP_KEY')", "'clientSecret: ' . getenv('APP_SECRET')"] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  const content = body === undefined ? '' : `\n    'content' => json_encode(${phpLiteral(body, 4)}),`;
  return `$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [${headers.join(', ')}],${content}
    'timeout' => 10,
]]);
$reply = json_decode(file_get_contents('${url}/api/v1${path}', false, $context), true);
if (!$reply['success']) {
    throw new RuntimeException("{$reply['code']}: {$reply['hint']}");
}
print_r($reply);`;
}

function go(url: string, { method, path, body, authenticated }: SampleRequest): string {
  const content = body === undefined ? 'nil' : `strings.NewReader(\`${json(body)}\`)`;
  const headers = [
    ...(authenticated ? ['"clientId", os.Getenv("APP_KEY")', '"clientSecret", os.Getenv("APP_SECRET")'] : []),
    ...(body === undefined ? [] : ['"Content-Type", "application/json"']),
  ].map((header) => `\n\trequest.Header.Set(${header})`);
  const imports = [
    '"encoding/json"',
    '"fmt"',
    '"log"',
    '"net/http"',
    ...(authenticated ? ['"os"'] : []),
    ...(body === undefined ? [] : ['"strings"']),
    '"time"',
  ];
  return `package main

import (
\t${imports.join('\n\t')}
)

func main() {
\trequest, err := http.NewRequest("${method}", "${url}/api/v1${path}", ${content})
\tif err != nil {
\t\tlog.Fatal(err)
\t}${headers.join('')}
\tclient := http.Client{Timeout: 10 * time.Second}
\tresponse, err := client.Do(request)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tdefer response.Body.Close()
\tvar reply map[string]any
\tif err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
\t\tlog.Fatal(err)
\t}
\tif reply["success"] != true {
\t\tlog.Fatalf("%v: %v", reply["code"], reply["hint"])
\t}
\tfmt.Println(reply)
}`;
}

export const snippetsOf = (url: string, request: SampleRequest): readonly CodeBlock[] => [
  { language: 'sh', code: curl(url, request) },
  { language: 'js', code: javascript(url, request) },
  { language: 'python', code: python(url, request) },
  { language: 'go', code: go(url, request) },
  { language: 'php', code: php(url, request) },
];
