/** The guides: the start page of the documentation, and the Markdown files that it links to. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { REPOSITORY } from '../../platform/folders.js';

export interface Guide {
  /** Path in the repository, such as `docs/fraud.md`. The Markdown is served at the same path. */
  readonly file: string;
  /** Path of the page, such as `/docs/fraud`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

interface Link {
  readonly label: string;
  /** Path in the repository. */
  readonly file: string;
}

/** The start page of the documentation. It links to all guides, in the order of the navigation. */
export const DOCS_INDEX = 'docs/README.md';

/** Returns the relative links and images in the text of a file. */
export const linksIn = (file: string, text: string): readonly Link[] =>
  [...text.matchAll(/\[([^[\]]*)\]\(([\w./-]+)/g)].map(([, label, href]) => ({
    label: label!,
    file: posix.join(posix.dirname(file), href!),
  }));

/** `docs/fraud.md` → `/docs/fraud`; `CHANGELOG.md` → `/docs/changelog`. The label names a README of another folder. */
function pathOf({ file, label }: Link): string {
  const { dir, name } = posix.parse(file);
  const pageName = dir === '' || dir === 'docs' ? name : label;
  return `/docs/${pageName.toLowerCase().replaceAll(' ', '-')}`;
}

/** `label`: the name in the navigation, which replaces the title of a README, such as the name of a package. */
function readGuide(file: string, path: string, label?: string): Guide[] {
  const url = new URL(file, REPOSITORY);
  // If the service runs from an incomplete copy of the repository, it serves the files that exist.
  if (!existsSync(url)) return [];
  const text = readFileSync(url, 'utf8');
  const [, heading = file] = /^# (.+)$/m.exec(text) ?? [];
  return [{ file, path, title: label !== undefined && !file.startsWith('docs/') ? label : heading, text }];
}

export function readGuides(): readonly Guide[] {
  const index = readGuide(DOCS_INDEX, '/docs');
  // The introduction links to some of the guides again.
  const lists = index.flatMap(({ file, text }) => linksIn(file, text.slice(text.indexOf('\n## '))));
  const links = lists.filter(({ file }) => file.endsWith('.md'));
  return [...index, ...links.flatMap((link) => readGuide(link.file, pathOf(link), link.label))];
}

/**
 * Returns the other files that the guides link to or show, such as examples and images. They are served at their paths
 * in the repository.
 */
export function linkedFiles(guides: readonly Guide[]): readonly string[] {
  const isLinkedFile = (file: string) =>
    !file.startsWith('..') &&
    !guides.some((guide) => guide.file === file) &&
    statSync(new URL(file, REPOSITORY), { throwIfNoEntry: false })?.isFile() === true;
  const files = guides.flatMap((guide) => linksIn(guide.file, guide.text).map(({ file }) => file));
  return [...new Set(files)].filter(isLinkedFile);
}
