/** Numbers that the fraud guard interprets: an application's settings, and their bounds for an account. */

export type Numbers = Readonly<Record<string, number>>;

/** Changes to numbers; undefined removes a number. */
export type NumbersChange = Readonly<Record<string, number | undefined>>;

export function changeNumbers(before: Numbers, change: NumbersChange = {}) {
  const entries = Object.entries({ ...before, ...change });
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** Returns the numbers with a prefix, for the audit log. Numbers that only `other` contains have the value `absent`. */
export function fraudAuditValues(numbers: Numbers, other: Numbers, absent: string): Record<string, unknown> {
  const names = Object.keys({ ...other, ...numbers });
  return Object.fromEntries(names.map((name) => [`fraud ${name}`, numbers[name] ?? absent]));
}
