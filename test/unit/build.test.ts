/** backend/build.mjs: a new build beside a running server. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-build-'));
  copyFileSync(join(root, 'backend/build.mjs'), join(folder, 'build.mjs'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'src/cli'), { recursive: true });
  write('tsconfig.json', '{}');
  write('src/main.ts', "import('./late.js');");
  write('src/cli/passbell.ts', '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

/** Builds with this text in the file that is loaded late. Returns the names of all its versions in the build folder. */
function build(text: string): string[] {
  write('src/late.ts', `console.log('${text}');`);
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder });
  return readdirSync(join(folder, 'dist')).filter((name) => /^late-\w+\.js$/.test(name));
}

test('keeps the files of the build before, which a running server may still load, and removes older ones', () => {
  const first = build('first');
  expect(first).toHaveLength(1);
  const second = build('second');
  expect(second).toHaveLength(2);
  expect(second).toEqual(expect.arrayContaining(first));
  const third = build('third');
  expect(third).toHaveLength(2);
  expect(third).not.toEqual(expect.arrayContaining(first));
});
