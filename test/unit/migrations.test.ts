/** A migration that has landed is never edited: databases that ran it would differ from new ones. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../backend/src/db/migrations/', import.meta.url);

/** SHA-256 of each, as it landed. A new migration gets a new line. */
const LANDED: Record<string, string> = {
  '0001-first.ts': '6ffe8a253a1949f86e8478831229fd0762f76e23ca9b0edf948da5f2badd5b87',
  '0002-two-factor.ts': 'daaa35fe4cea23f11742ea659e67c2219f395893ddc055128c999b7093d8794b',
};

it.each(readdirSync(folder))('%s is as it landed', (file) => {
  const text = readFileSync(new URL(file, folder));
  expect(createHash('sha256').update(text).digest('hex')).toBe(LANDED[file]);
});
