/** The start page of the documentation: a card for each role, with its guides in the groups of the index. */
import { capitalized } from '../../platform/capitalized.js';
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { render } from './templates.js';

/** A role in the introduction, with its first guide: `- [Developers](quick-start.md): send your first code.` */
const ROLE = /^- \[(.+)\]\((.+)\): (.+)\.\n/gm;

/** The description of a guide in a list. The cards only name the guides. */
const DESCRIPTION = /(?<=^- \[[^\]]+\]\([^)]+\)): .+$/gm;

/** Returns HTML. The text before the list of roles opens the page; the example after it is for developers. */
export function startPageHtml(text: string, options: RenderOptions): string {
  const html = (markdown: string) => renderMarkdown(markdown.replace(DESCRIPTION, ''), options);
  const [introduction = '', ...sections] = text.split(/^## /m);
  const roles = [...introduction.matchAll(ROLE)];
  const [opening = '', example = ''] = introduction.split(/(?:^- .+\n)+/m);
  const cards = sections.map((section) => {
    const [list = '', ...parts] = section.split(/^### /m);
    const title = list.split('\n', 1)[0]!;
    const position = roles.findIndex(([, role]) => title === `For ${role!.toLowerCase()}`);
    const [, , first, purpose] = roles[position] ?? [];
    return {
      title,
      position: position < 0 ? roles.length : position,
      lead: first && html(`[${capitalized(purpose!)}](${first})`),
      example: position === 0 ? html(example) : '',
      count: section.match(/^- /gm)?.length,
      parts: [list, ...parts]
        .map((part) => {
          const [heading, ...lines] = part.split('\n');
          return { heading: part === list ? '' : heading, html: html(lines.join('\n')) };
        })
        .filter((part) => part.html !== ''),
    };
  });
  return render('start-page', { opening: html(opening), cards: cards.sort((a, b) => a.position - b.position) });
}
