import { parseUrl } from '../../backend/src/platform/url.js';
import { isWebLink } from '../../backend/src/platform/http/web-link.js';

it('isWebLink accepts umlauts even after 100,000 calls', () => {
  // After this many calls, Node.js optimizes the function. The optimized `URL.canParse` wrongly rejects umlauts.
  for (let n = 0; n < 100_000; n++) if (!isWebLink('https://shop.example/größe')) throw new Error(`rejected call ${n}`);
});

it('parseUrl returns undefined for text that is not a URL', () => {
  expect(parseUrl('shop.example')).toBeUndefined();
  expect(parseUrl('https://shop.example/a')?.host).toBe('shop.example');
});
