/** Stores how long each test file took in its last run on this machine, for `npm test -- --changed`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';

const file = join(root, '.cache/test-durations.json');

/** Returns milliseconds by project and path, such as `embedded test/api/prices.test.ts`. */
export const readDurations = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** Replaces the durations of the test files that ran. */
export function storeDurations(ran) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readDurations(), ...ran }));
}
