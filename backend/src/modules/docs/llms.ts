/** The page `/llms.txt`, for programs that read documentation. */
import { readFileSync } from 'node:fs';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import type { Guide } from './guides.js';

/** Returns a list entry with the title and the first sentence of a guide. */
function entryOf({ file, title, text }: Guide): string {
  const [, paragraph = ''] = /^# .+\n+([A-Za-z][\s\S]*?)\n\n/m.exec(text.replace(/^<!--.*-->\n+/gm, '')) ?? [];
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^[\]]+)\]\([^)]*\)/g, '$1');
  const [sentence = ''] = /^.+?[.:](?= |$)/.exec(plain) ?? [];
  return `- [${title}](/${file})${sentence && `: ${sentence}`}`;
}

export const llmsText = (guides: readonly Guide[]): string =>
  `${readFileSync(new URL('assets/docs/llms.txt', BACKEND_FOLDER), 'utf8')}${guides.map(entryOf).join('\n')}\n`;
