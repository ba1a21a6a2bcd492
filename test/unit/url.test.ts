import { parseUrl } from '../../backend/src/platform/url.js';
import { isWebLink } from '../../backend/src/platform/http/web-link.js';

it('accepts umlauts however often it is called', () => {
  // Node.js optimizes a function that is called this often. In optimized code, its `URL.canParse` rejects umlauts.
  for (let n = 0; n < 100_000; n++) if (!isWebLink('https://shop.example/größe')) throw new Error(`rejected call ${n}`);
});

it('returns undefined for text that is not a URL', () => {
  expect(parseUrl('shop.example')).toBeUndefined();
  expect(parseUrl('https://shop.example/a')?.host).toBe('shop.example');
});
