/** What docs/widget.md tells a site to write works as it is written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import { root } from '../support/process.js';
import { setStage } from '../support/site.js';

const stage = setStage();
const page = readFileSync(join(root, 'docs/widget.md'), 'utf8');

it('embeds the widget as printed', async () => {
  const [, html] = page.match(/```html\n([\s\S]*?)```/)!;
  const [, script] = page.match(/```js\n([\s\S]*?)```/)!;
  const body = html!.replaceAll('https://otp.example', stage.passbell.url).replace('pk_…', stage.passbell.keys.appKey);
  const widget = await stage.site.open({ body, script: script! });
  await widget.shows('Set up two-factor authentication');
  expect(widget.console).toEqual([]);
});

it('names no error code that the service does not have', () => {
  const table = page.slice(page.indexOf('## When it does not work'));
  const codes = [...table.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map((match) => match[1]!);
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter((code) => !(code in ERRORS))).toEqual(['UNREACHABLE']);
});
