/** A table of texts: the first column names the rows, the others are figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table for a terminal, its columns aligned. */
export const plainTable = ({ head, rows }: Table): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [lineOf(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(lineOf)].join('\n');
};

/** The same in Markdown. */
export const markdownTable = ({ head, rows }: Table): string => {
  const lineOf = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const rule = `|${head.map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`;
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n');
};

/** A number with its thousands set apart, and no more decimals than it needs. */
export const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Dollars: to the cent where there are few, whole ones where there are many. */
export const dollarFigure = (dollars: number): string => {
  const digits = dollars < 100 ? 2 : 0;
  return dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};
