/** Parts of the pages of the API reference, in Markdown and HTML. */

/** `info`: the language, and optionally a title. */
export const fenced = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;

export const jsonOf = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

/** Joins paragraphs. Leaves out those that are empty. */
export const paragraphs = (...texts: readonly (string | false | undefined)[]): string =>
  texts.filter(Boolean).join('\n\n');

/** The color depends on the method. */
export const methodHtml = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;

/** Returns HTML that is collapsed below a heading. */
export const foldHtml = (className: 'fold' | 'fields', id: string, heading: string, html: string): string =>
  `<details class="${className}"><summary><h3 id="${id}">${heading}</h3></summary>${html}</details>`;
