/** A row of a table, by column. */
export type Row = Record<string, unknown>;

const propertyOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
export const columnOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns a row with the names that properties have: `mask_id` becomes `maskId`. The columns must have the types of `T`:
 * booleans and JSON need a conversion. The result also contains columns that `T` does not have.
 */
export const fromRow = <T>(row: Row): T =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [propertyOf(column), value])) as T;

/** Returns an object as a row: `maskId` becomes `mask_id`. The table must have a column for each of its properties. */
export const toRow = (object: object): Row =>
  Object.fromEntries(Object.entries(object).map(([property, value]) => [columnOf(property), value as unknown]));
