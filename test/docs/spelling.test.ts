/** The project's texts use American spelling. Names that are fixed by the API, such as `order_cancelled`, stay. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/process.js';

const BRITISH =
  /\b(?:enrol(?!l)\w*|\w*colour\w*|behaviour\w*|cancelled|cancelling|labell\w+|grey|centre\w*|neighbour\w*|licence|favour\w*|authoris\w+|recognis\w+|organis\w+|e-mails?)\b/gi;

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'package.json',
  'backend/openapi/openapi.yaml',
  'backend/assets/docs/llms.txt',
  ...['clients/node', 'clients/python', 'clients/better-auth', 'examples', 'n8n-nodes', 'zapier-app'].map(
    (folder) => `${folder}/README.md`,
  ),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'backend/src/modules/templates/rendering/texts/en.json',
  'widget/src/languages/en.ts',
];

/** Removes code and fixed names, such as the keys of texts, which may be in upper case, contain underscores, or quote another product. */
const withoutNames = (text: string): string =>
  text
    .replace(/`[^`]*`|^ *\w+:/gm, '')
    .replace(/\*Cancelled\*/g, '')
    .replace(/\w*[A-Z]_[A-Z]\w*|\w+_\w+/g, '');

const britishWords = (text: string): readonly string[] => withoutNames(text).match(BRITISH) ?? [];

it.each(FILES)('%s has American spelling', (file) => {
  expect(britishWords(readFileSync(join(root, file), 'utf8'))).toEqual([]);
});

const SOURCES = [
  'backend/src',
  'clients/node/src',
  'clients/better-auth/src',
  'n8n-nodes/nodes',
  'widget/src',
  'zapier-app/src',
];
/** Block comments and line comments. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/g;

it.each(SOURCES)('the comments in %s have American spelling', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const comments = files
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('generated'))
    .flatMap((name) => readFileSync(join(root, folder, name), 'utf8').match(COMMENT) ?? []);
  expect(comments.length).toBeGreaterThan(0);
  expect(comments.flatMap(britishWords)).toEqual([]);
});
