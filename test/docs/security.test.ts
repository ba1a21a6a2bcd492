/** docs/security.md: every promise names existing tests, and the retention table states the default settings. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../backend/src/platform/config/config.js';
import { root } from '../support/process.js';

const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
/** The rows of all promise tables: number, promise and tests. */
const promises = [...page.matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)].map(([, number, promise, tests]) => ({
  number: Number(number),
  promise: promise!,
  tests: [...tests!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!),
}));

it('numbers the promises without gaps', () => {
  expect(promises.length).toBeGreaterThanOrEqual(46);
  expect(promises.map(({ number }) => number)).toEqual(promises.map((_promise, n) => n + 1));
});

it.each(promises.map(({ number, promise, tests }) => [number, promise, tests] as const))(
  'security promise %d lists only existing tests: %s',
  (_number, _promise, tests) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(join(root, file)))).toEqual([]);
  },
);

it('states the default retention periods', () => {
  const stated = [...page.matchAll(/`(\w+_DAYS)` \((\d+)\)/g)].map(([, name, days]) => [name, days]);
  expect(stated.map(([name]) => name)).toEqual(['USER_RETENTION_DAYS', 'AUDIT_RETENTION_DAYS']);
  for (const [name, days] of stated) expect(SETTINGS[name as 'USER_RETENTION_DAYS'].default).toBe(days);
});

it('is linked from the README', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/security.md)');
});
