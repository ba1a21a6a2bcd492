export type Row = Record<string, unknown>;

/** Remembers the results, because rows are read often. There are only a few hundred names. */
function remembering(convert: (name: string) => string): (name: string) => string {
  const results = new Map<string, string>();
  return (name) => {
    const result = results.get(name) ?? convert(name);
    results.set(name, result);
    return result;
  };
}

const propertyOf = remembering((column) =>
  column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
);
export const columnOf = remembering((property) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Returns a copy whose properties have other names. Leaves out properties whose name is empty. */
function renamed(source: object, nameOf: (name: string) => string): Row {
  const copy: Row = {};
  for (const [name, value] of Object.entries(source)) {
    const newName = nameOf(name);
    if (newName !== '') copy[newName] = value;
  }
  return copy;
}

/** The names of properties with secrets: hashes, and encrypted (sealed) values. */
type SecretName = `${string}Hash` | `${string}Sealed`;
const publicPropertyOf = remembering((column) => (/_(hash|sealed)$/.test(column) ? '' : propertyOf(column)));

/** The compiler rejects types with secrets. */
export type WithoutSecrets<T> = { [Name in keyof T]: Name extends SecretName ? never : unknown };

/**
 * Returns a row with the names that properties have: `mask_id` becomes `maskId`. The columns must have the types of `T`:
 * booleans and JSON need a conversion. The result also contains columns that `T` does not have, except secrets: an object
 * that is spread into a reply cannot contain them.
 */
export const fromRow = <T extends WithoutSecrets<T>>(row: Row): T => renamed(row, publicPropertyOf) as T;

/** Like {@link fromRow}, for objects that contain secrets. */
export const fromSecretRow = <T>(row: Row): T => renamed(row, propertyOf) as T;

/** Returns an object as a row: `maskId` becomes `mask_id`. The table must have a column for each of its properties. */
export const toRow = (object: object): Row => renamed(object, columnOf);
