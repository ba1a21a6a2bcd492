import { parseUrl } from '../url.js';

/**
 * Whether a text is an http or https link that shows its real host. A link must not contain a username, which people
 * may mistake for the host, or characters that browsers and email clients parse differently.
 */
export function isWebLink(text: string): boolean {
  if (/[\s\\<>"\p{C}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '';
}
