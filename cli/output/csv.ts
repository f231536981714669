import { Problem } from '../problem.ts';
import type { Cell } from './report.ts';
import { printable, type Terminal } from './terminal.ts';

/**
 * Where a spreadsheet would begin to run a formula (OWASP, “CSV Injection”): at the beginning of a cell, and after a semicolon,
 * at which many of them begin another cell. Blanks and invisible characters before it make no difference.
 */
const formulaStart = /(?<=^|;)(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/gu;

/**
 * A cell of CSV (RFC 4180). What begins like a formula gets an apostrophe before it, because the sender of a call could
 * otherwise run one in the spreadsheet of an operator. Control characters are escaped, so that a row is always one line.
 */
const cellOf = (cell: Cell): string => {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = printable(cell.replace(formulaStart, "'"));
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Prints a row of CSV, ended by CRLF: the terminal adds the line feed. */
export const printCsv = (terminal: Pick<Terminal, 'print'>, cells: readonly Cell[]): void =>
  terminal.print(`${cells.map(cellOf).join(',')}\r`);

/** Rejects options that ask for two formats. */
export const rejectTwoFormats = ({ json, csv }: { readonly json: boolean; readonly csv: boolean }): void => {
  if (json && csv) throw new Problem('Give --json or --csv, not both.', 2);
};
