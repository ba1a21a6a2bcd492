/** The guides: Markdown files in the repository, and the paths of their pages. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '../../folders.js';

export interface Guide {
  /** Path in the repository, such as `docs/fraud.md`. The Markdown is served at the same path. */
  readonly file: string;
  /** Path of the page, such as `/docs/fraud`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** Page names of the guides outside the folder `docs`, by file. */
const OTHER_GUIDES: Readonly<Record<string, string>> = {
  'README.md': 'readme',
  'CHANGELOG.md': 'changelog',
  'examples/README.md': 'examples',
  'clients/node/README.md': 'node-client',
  'clients/better-auth/README.md': 'better-auth',
  'n8n-nodes/README.md': 'n8n',
};

/** The start page of the documentation. It links to all guides, in the order of the navigation. */
export const DOCS_INDEX = 'docs/README.md';
/** Files in the folder `docs` that are only for maintainers. */
const NOT_SERVED = ['publishing.md'];

function listFiles(folder: string, pattern: RegExp): string[] {
  const url = new URL(`${folder}/`, REPOSITORY);
  // If the service runs from an incomplete copy of the repository, it serves the files that exist.
  return existsSync(url) ? readdirSync(url).filter((name) => pattern.test(name)) : [];
}

function guideOf(file: string): Guide[] {
  const url = new URL(file, REPOSITORY);
  if (!existsSync(url)) return [];
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
  const name = OTHER_GUIDES[file] ?? file.replace(/^docs\//, '').replace(/\.md$/, '');
  return [{ file, path: file === DOCS_INDEX ? '/docs' : `/docs/${name}`, title, text }];
}

/** Reads all guides. */
export function readGuides(): readonly Guide[] {
  const own = listFiles('docs', /\.md$/).filter((name) => !NOT_SERVED.includes(name));
  return [...Object.keys(OTHER_GUIDES), ...own.sort().map((name) => `docs/${name}`)].flatMap(guideOf);
}

/** Returns the other files that the guides link to, such as examples. They are served at their paths in the repository. */
export function linkedFiles(guides: readonly Guide[]): readonly string[] {
  const targets = guides.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<!!)\[[^[\]]*\]\(([\w./-]+)/g)].map(([, href]) => posix.join(posix.dirname(file), href!)),
  );
  const isLinkedFile = (file: string) =>
    !file.startsWith('..') &&
    !guides.some((guide) => guide.file === file) &&
    statSync(new URL(file, REPOSITORY), { throwIfNoEntry: false })?.isFile() === true;
  return [...new Set(targets)].filter(isLinkedFile);
}

export const readLinkedFiles = (guides: readonly Guide[]): readonly Pick<Guide, 'file' | 'text'>[] =>
  linkedFiles(guides).map((file) => ({ file, text: readFileSync(new URL(file, REPOSITORY), 'utf8') }));

/** Folders with images that the guides contain. */
const IMAGE_FOLDERS = ['docs', 'n8n-nodes/docs'];

/** Returns the paths of all images in the repository. They are served at the same paths. */
export const imageFiles = (): readonly string[] =>
  IMAGE_FOLDERS.flatMap((folder) => listFiles(folder, /\.(png|svg)$/).map((name) => `${folder}/${name}`));
