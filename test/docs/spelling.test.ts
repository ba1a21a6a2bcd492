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
  ...['clients/node', 'clients/better-auth', 'examples', 'n8n-nodes', 'zapier-app'].map(
    (folder) => `${folder}/README.md`,
  ),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'backend/src/modules/templates/rendering/texts/en.ts',
  'widget/src/languages/en.ts',
];

/** Removes code and fixed names, such as the keys of texts, which may be in upper case, contain underscores, or quote another product. */
const withoutNames = (text: string): string =>
  text
    .replace(/`[^`]*`|^ *\w+:/gm, '')
    .replace(/\*Cancelled\*/g, '')
    .replace(/\w*[A-Z]_[A-Z]\w*|\w+_\w+/g, '');

it.each(FILES)('%s has American spelling', (file) => {
  const found = withoutNames(readFileSync(join(root, file), 'utf8')).match(BRITISH) ?? [];
  expect(found).toEqual([]);
});
