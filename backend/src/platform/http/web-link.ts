/** Links that may go into a message. */

/**
 * Whether a text is a link to a web page that shows its real host: http or https, and no user name, which people take for
 * the host, nor characters that browsers and mail programs read in different ways.
 */
export function isWebLink(text: string): boolean {
  if (/[\s\\<>"\p{C}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
