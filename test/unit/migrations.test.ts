/** A migration that has landed is never edited: databases that ran it would differ from new ones. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../backend/src/db/migrations/', import.meta.url);

/** SHA-256 of each, as it landed. A new migration gets a new line. */
const LANDED: Record<string, string> = {
  '0001-first.ts': '6ffe8a253a1949f86e8478831229fd0762f76e23ca9b0edf948da5f2badd5b87',
  '0003-template-overrides.ts': 'bbb52f6ddd361c9d08ef19c8d77a063d29d7d2d281f9261f7e6a0373b1096ccb',
};

it.each(readdirSync(folder))('%s is as it landed', (file) => {
  const text = readFileSync(new URL(file, folder));
  expect(createHash('sha256').update(text).digest('hex')).toBe(LANDED[file]);
});
