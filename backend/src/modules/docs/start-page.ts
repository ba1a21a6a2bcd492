/** The start page of the documentation, whose lists of guides (`- [Title](file.md): text`) become cards and groups. */
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { render } from './templates.js';

/** A guide in a list, up to the first letter of its description. */
const GUIDE = /^(- \[[^\]]+\]\([^)]+\)): (.)/gm;

/** The heading of a part of a group. It has no anchor, because the page has no list of headings. */
const PART = /<h3 id="[^"]*"><a [^>]*>(.*?)<\/a>/g;

/** Returns HTML. The style sheet places the description below the title, so it starts with a capital letter. */
export function startPageHtml(text: string, options: RenderOptions): string {
  const guides = text.replace(GUIDE, (_, link: string, first: string) => `${link} ${first.toUpperCase()}`);
  const [introduction = '', ...sections] = guides.split(/^## /m);
  const groups = sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title, html: renderMarkdown(lines.join('\n'), options).replace(PART, '<h3>$1') };
  });
  return render('start-page', { introduction: renderMarkdown(introduction, options), groups });
}
