/** Rendering of the documentation pages. */
import { readGuides } from '../../backend/src/modules/docs/guides.js';
import { createSite } from '../../backend/src/modules/docs/site.js';

it('a request for a page renders only that page, and only once', () => {
  const read: string[] = [];
  const guides = readGuides().map(({ text, ...guide }) => ({
    ...guide,
    get text() {
      read.push(guide.path);
      return text;
    },
  }));
  const htmlOf = createSite('https://otp.example', guides, new Set());
  // The navigation comes from the index.
  expect(read).toEqual(['/docs']);
  expect(htmlOf('/docs/fraud')).toContain('</html>');
  expect(htmlOf('/docs/api/otp')).toContain('</html>');
  expect(htmlOf('/docs/fraud')).toBe(htmlOf('/docs/fraud'));
  expect(read).toEqual(['/docs', '/docs/fraud']);
  expect(htmlOf('/docs/no-such-page')).toBeUndefined();
});
