/**
 * Parses a URL. Returns undefined if it is invalid. Does not use `URL.canParse`, which in Node.js 20 wrongly rejects
 * umlauts after a few thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
