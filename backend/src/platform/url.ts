/** Returns undefined if it is invalid. In Node.js 20, `URL.canParse` rejects umlauts after a few thousand calls. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
