/**
 * Whether a text is an http or https link that shows its real host. It must not have a user name, which people mistake for
 * the host, or characters that browsers and mail programs parse differently.
 */
export function isWebLink(text: string): boolean {
  if (/[\s\\<>"\p{C}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
