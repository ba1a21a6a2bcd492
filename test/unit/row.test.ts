/** The names of columns and properties. */
import { columnOf, fromRow, toRow } from '../../backend/src/platform/db/row.js';

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
