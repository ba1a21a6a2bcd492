/** Suggests the path that a caller probably meant. */
import leven from 'leven';
import { contract } from '../contract/contract.js';

const BASE = '/api/v1';

/** Returns a path's letters in lower case, without the API prefix: `/API/v1/auth/send-otp/` → `authsendotp`. */
const lettersOf = (path: string): string =>
  path
    .toLowerCase()
    .replace(/^\/?(?:api)?\/?(?:v\d+)?(?=\/)/, '')
    .replace(/[^a-z0-9]/g, '');

const PATHS = Object.entries(contract.paths).map(([path, operations]) => ({
  path,
  method: Object.keys(operations).includes('post') ? 'POST' : Object.keys(operations)[0]!.toUpperCase(),
  letters: lettersOf(path),
  last: lettersOf(path.slice(path.lastIndexOf('/'))),
}));

/** Maximum edit distance between the requested and the suggested path, in letters. */
const MAX_DISTANCE = 3;

/**
 * Returns the most similar operation: `/api/v1/sendotp` → `POST /api/v1/auth/sendotp`. Returns undefined if no path is
 * similar.
 */
export function suggestedPath(path: string): string | undefined {
  const letters = lettersOf(path.slice(0, 200));
  if (letters.length < 4) return undefined;
  const distances = PATHS.map(({ letters: known, last }) => Math.min(leven(letters, known), leven(letters, last)));
  const least = Math.min(...distances);
  const { path: found, method } = PATHS[distances.indexOf(least)]!;
  return least <= MAX_DISTANCE ? `${method} ${BASE}${found}` : undefined;
}
