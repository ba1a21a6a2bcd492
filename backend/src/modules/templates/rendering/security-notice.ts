import type { Content } from '../../../providers/provider.js';
import { emailHtml } from './email.js';
import { languageOf } from './languages.js';

type Values = Readonly<Record<string, string>>;

/** Values are single lines, so further paragraphs are in `item1`, `item2` and so on. */
function itemsOf(values: Values): string[] {
  const items: string[] = [];
  for (let n = 1; values[`item${n}`] !== undefined; n++) items.push(values[`item${n}`]!);
  return items;
}

/**
 * Renders a security notice as an email, with optional `item1`, `item2`, …, and up to two links. The text is in English,
 * like the dashboard.
 */
export function renderSecurityNotice(values: Values, application: string): Content {
  const { title = '', text = '', advice = '', link, linkLabel = '', link2, link2Label = '' } = values;
  const items = itemsOf(values);
  const links = [
    ...(link === undefined ? [] : [{ label: linkLabel, value: link }]),
    ...(link2 === undefined ? [] : [{ label: link2Label, value: link2 }]),
  ];
  const end = links.map(({ label, value }) => `${label}: ${value}`);
  const paragraphs = [text, ...items];
  return {
    kind: 'email',
    subject: title,
    text: `${[title, ...paragraphs, advice, ...end].join('\n\n')}\n\n-- \n${application}\n`,
    html: emailHtml({ language: languageOf('en'), application, title, paragraphs, links, note: advice }),
  };
}
