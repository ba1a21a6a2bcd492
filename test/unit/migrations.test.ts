/** A migration that has landed is never edited: databases that ran it would differ from new ones. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../backend/src/db/migrations/', import.meta.url);

/** SHA-256 of each, as it landed. A new migration gets a new line. */
const LANDED: Record<string, string> = {
  '0001-first.ts': '6ffe8a253a1949f86e8478831229fd0762f76e23ca9b0edf948da5f2badd5b87',
  '0003-template-overrides.ts': '7d872968a77f1688b37ffcae0d86f7c1e37f0190f0ff475bcf44e8951394b073',
};

it.each(readdirSync(folder))('%s is as it landed', (file) => {
  const text = readFileSync(new URL(file, folder));
  expect(createHash('sha256').update(text).digest('hex')).toBe(LANDED[file]);
});
