/** The names of columns and properties. */
import { columnOf, fromRow, fromSecretRow, toRow } from '../../backend/src/platform/db/row.js';

const ROW = { id: 7, mask_id: 'a1', next_secret_at: null, created_at: 1_700_000_000_000 };
const OBJECT = { id: 7, maskId: 'a1', nextSecretAt: null, createdAt: 1_700_000_000_000 };

it('reads a row under the names of properties', () => {
  expect(fromRow(ROW)).toEqual(OBJECT);
});

it('writes an object under the names of columns', () => {
  expect(toRow(OBJECT)).toEqual(ROW);
});

it('returns the same column each time', () => {
  expect([columnOf('applicationId'), columnOf('applicationId')]).toEqual(['application_id', 'application_id']);
});

describe('secrets of a row', () => {
  const SECRET = { ...ROW, key_hash: 'h', secret_sealed: 's' };

  it('are left out, so that the object can be spread into a reply', () => {
    expect(fromRow(SECRET)).toEqual(OBJECT);
  });

  it('are only returned by fromSecretRow', () => {
    expect(fromSecretRow(SECRET)).toEqual({ ...OBJECT, keyHash: 'h', secretSealed: 's' });
  });

  it('are rejected by the compiler in the type of the result', () => {
    // @ts-expect-error -- A hash is a secret.
    expect(fromRow<{ keyHash: string }>(SECRET)).toEqual(OBJECT);
  });
});
