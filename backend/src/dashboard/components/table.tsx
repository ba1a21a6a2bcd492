/** A table. On phones, each row becomes a card, and each cell shows its column title. */
import { Fragment, type ComponentChildren } from 'preact';
import { groupBy } from '../group-by.js';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly number?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** The title above rows that belong together, such as their day. */
  readonly groupOf?: (row: Row) => string;
  /** Content below the row and as wide as the table, shown while a `<details>` in the row is open. */
  readonly detailOf?: (row: Row) => ComponentChildren;
  /** The number of rows of a group that are shown at first; all by default. */
  readonly shown?: number;
}

/** With several titles, and fewer rows below each, a column says more. */
const MIN_PER_TITLE = 3;

/** Whether the titles of groups of rows are so few that they make a list easier to read. */
export function areTitles<Row>(rows: readonly Row[], titleOf: (row: Row) => string): boolean {
  const count = new Set(rows.map(titleOf)).size;
  return count === 1 || rows.length >= MIN_PER_TITLE * count;
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  groupOf = () => '',
  detailOf,
  shown = Infinity,
}: TableProps<Row>) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, number }) => (
            <th key={title} scope="col" class={number ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {groupBy(rows, groupOf).map((group) => (
        <tbody key={groupOf(group[0]!)}>
          {groupOf(group[0]!) !== '' && (
            <tr class="group-title">
              <th scope="rowgroup" colSpan={columns.length}>
                {groupOf(group[0]!)}
              </th>
            </tr>
          )}
          {group.map((row, n) => (
            <Fragment key={keyOf(row)}>
              {n === shown && (
                <tr class="more">
                  <td colSpan={columns.length}>
                    <details>
                      <summary>Show {group.length - shown} more</summary>
                    </details>
                  </td>
                </tr>
              )}
              <tr class={n >= shown ? 'rest' : undefined}>
                {columns.map(({ title, cell, number }) => (
                  <td key={title} data-title={title} class={number ? 'number' : undefined}>
                    <div>{cell(row)}</div>
                  </td>
                ))}
              </tr>
              {detailOf && (
                <tr class="row-detail">
                  <td colSpan={columns.length}>{detailOf(row)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      ))}
    </table>
  );
}
