/** The samples in docs/widget.md work as printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import { root } from '../support/process.js';
import { setUpSite } from '../support/site.js';

const fixture = setUpSite();
const page = readFileSync(join(root, 'docs/widget.md'), 'utf8');

it('the HTML embeds the widget', async () => {
  const [, html] = page.match(/```html\n([\s\S]*?)```/)!;
  const [, script] = page.match(/```js\n([\s\S]*?)```/)!;
  const body = html!
    .replaceAll('https://otp.example', fixture.passbell.url)
    .replace('pk_…', fixture.passbell.keys.appKey)
    .replace('\n  data-usertoken="…"', '');
  const widget = await fixture.site.open({ body, script: script! });
  await widget.waitForView('Set up two-factor authentication');
  expect(widget.console).toEqual([]);
});

it('all documented error codes exist', () => {
  const table = page.slice(page.indexOf('## When the widget does not work'));
  const codes = [...table.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map((match) => match[1]!);
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter((code) => !(code in ERRORS))).toEqual(['UNREACHABLE']);
});
