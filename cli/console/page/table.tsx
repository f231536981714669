import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

export interface PageColumn<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isFigure?: boolean;
  /** Its head is then a button, which sorts the rows by it, the largest first. */
  readonly sortBy?: (row: Row) => number;
}

interface TableProps<Row> {
  readonly class?: string;
  readonly columns: readonly PageColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row) => string;
  /** The classes of rows that can be opened: on a small screen each is a card. */
  readonly itemOf?: (row: Row) => string;
  /** How many rows are before and after these, which are out of sight. */
  readonly window?: { readonly before: number; readonly after: number; readonly rowHeight: number };
}

const Cell = ({ isHead, ...props }: JSX.IntrinsicElements['td'] & { readonly isHead: boolean }) =>
  isHead ? <th {...props} scope="row" /> : <td {...props} />;

export const PageTable = <Row,>({ columns, rows, keyOf, itemOf, window, ...props }: TableProps<Row>) => {
  const [sorted, setSorted] = useState<string>();
  const { sortBy } = columns.find(({ name }) => name === sorted) ?? {};
  const shown = sortBy === undefined ? rows : rows.toSorted((a, b) => sortBy(b) - sortBy(a));
  const { before = 0, after = 0, rowHeight = 0 } = window ?? {};
  const space = (count: number) => count > 0 && <tr style={{ height: `${count * rowHeight}px` }} class="space" />;
  const classOf = ({ isFigure = false }: PageColumn<Row>) => (isFigure ? 'number' : undefined);
  return (
    <table class={props.class} aria-rowcount={window && before + rows.length + after + 1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              class={classOf(column)}
              aria-sort={sorted === column.name ? 'descending' : undefined}
            >
              {column.sortBy === undefined ? (
                column.name
              ) : (
                <button type="button" onClick={() => setSorted(sorted === column.name ? undefined : column.name)}>
                  {column.name}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {space(before)}
        {shown.map((row, index) => (
          <tr key={keyOf?.(row) ?? index} class={itemOf?.(row)} aria-rowindex={window && before + index + 2}>
            {columns.map((column, place) => (
              <Cell
                key={column.name}
                isHead={place === 0 && itemOf === undefined}
                class={classOf(column)}
                data-label={column.name}
              >
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
        {space(after)}
      </tbody>
    </table>
  );
};
