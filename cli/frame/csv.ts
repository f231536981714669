import type { Cell } from './table.ts';
import { printable, type Terminal } from './terminal.ts';

/**
 * Where a spreadsheet may begin a formula: in a cell or after a semicolon, with blanks before it (OWASP, “CSV Injection”). `\p{DI}`:
 * characters that nobody sees. Excel also takes full-width signs.
 */
const formulaStart = /(?<=^|;)(?=[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@＝＋－＠])/gu;

/** A cell of CSV (RFC 4180). The apostrophe keeps a sender's formulas from running; escapes keep a row on one line. */
const csvCell = (cell: Cell | readonly string[] = ''): string => {
  if (typeof cell === 'number') return String(cell);
  const safe = printable([cell].flat().join(', ').replace(formulaStart, "'"));
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Prints a row of CSV, ended by CRLF: the terminal adds the line feed. */
export const printCsv = (terminal: Pick<Terminal, 'print'>, cells: readonly (Cell | readonly string[])[]): void =>
  terminal.print(`${cells.map(csvCell).join(',')}\r`);

/** Prints the names of columns in CSV at once, and then rows as they come. */
export const csvTable = (terminal: Pick<Terminal, 'print'>, columns: readonly string[]) => {
  printCsv(terminal, columns);
  return (rows: readonly Readonly<Record<string, Cell | readonly string[]>>[]): void => {
    for (const row of rows) {
      const cells = columns.map((column) => row[column]);
      printCsv(terminal, cells);
    }
  };
};

/** The terminal for CSV: puts a byte-order mark before the first line, without which Excel does not read UTF-8. */
export const forSpreadsheets = ({ print }: Pick<Terminal, 'print'>): Pick<Terminal, 'print'> => {
  let mark = '\uFEFF';
  return {
    print(line) {
      print(mark + line);
      mark = '';
    },
  };
};
