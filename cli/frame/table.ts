import stringWidth from 'string-width';
import { printable, printableJson, styled, type Terminal } from './terminal.ts';

export type Cell = string | number | undefined;

export type TableRow = Readonly<Record<string, Cell>>;

/** The heading of each column, by its name in a row. */
export type Columns = Readonly<Record<string, string>>;

/** Prints rows as lines of JSON or as a table. */
export const printRows = (terminal: Terminal, isJson: boolean, columns: Columns, rows: readonly TableRow[]): void => {
  if (isJson) for (const row of rows) terminal.print(printableJson(row));
  else printTable(terminal, columns, rows);
};

/** Prints what a command did, as a line of JSON or as a sentence. */
export const printResult = ({ print }: Terminal, isJson: boolean, json: object, text: string): void =>
  print(isJson ? printableJson(json) : text);

export const printTable = (terminal: Terminal, columns: Columns, rows: readonly TableRow[]): void => {
  if (rows.length === 0) return;

  const names = Object.keys(columns);
  const head = Object.values(columns).map((text) => styled(terminal, 'bold', text));
  const lines = [head, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  // No `Math.max(...widths)`: there may be more rows than a call takes arguments.
  const widths = names.map((_, at) => lines.reduce((most, line) => Math.max(most, stringWidth(line[at] ?? '')), 0));
  const padded = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell));
  for (const line of lines) terminal.print(line.map(padded).join('  ').trimEnd());
};

const cellText = (cell: Cell): string => (cell === undefined ? '-' : printable(String(cell)));
