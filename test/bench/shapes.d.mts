/** Types of shapes.mjs for the tests. */
import type { Connection } from 'mysql2/promise';
export function shapeOf(
  connection: Connection,
  table: string,
): Promise<{ columns: string[]; row: (n: number, seed: string) => unknown[] }>;
