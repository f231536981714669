import stringWidth from 'string-width';
import { offsetAt } from '../../lib/core/time.ts';
import { wordText } from '../../lib/telephony/vocabularies.ts';
import { Problem } from './problem.ts';
import { printable, printableJson, styled, type Terminal } from './terminal.ts';

export type Cell = string | number | undefined;

export type TableRow = Readonly<Record<string, Cell>>;

/** The heading of each column, by its name in a row. */
export type Columns = Readonly<Record<string, string>>;

export const report = (terminal: Terminal, isJson: boolean, columns: Columns, rows: readonly TableRow[]): void => {
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
  const widths = names.map((_, at) => lines.reduce((most, line) => Math.max(most, stringWidth(line[at] ?? '')), 0));
  const padded = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell));
  for (const line of lines) terminal.print(line.map(padded).join('  ').trimEnd());
};

const cellText = (cell: Cell): string => (cell === undefined ? '-' : printable(String(cell)));

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

export const joined = (texts: readonly string[] | undefined): string | undefined => texts?.join(', ');

/**
 * A duration for people.
 * @example durationText(3723) // '1h 02m 03s'
 */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = whole % 60;
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${hours}h ${twoDigits(minutes)}m ${twoDigits(rest)}s`;
  return minutes > 0 ? `${minutes}m ${twoDigits(rest)}s` : `${rest}s`;
};

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const stateRows = (secondsByState: Readonly<Record<string, number>>, total: number) =>
  Object.entries(secondsByState)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, seconds]) => ({
      state: wordText(state),
      time: durationText(seconds),
      share: total === 0 ? undefined : percent(seconds / total),
    }));

/**
 * The offset of a time zone from UTC at an instant in milliseconds.
 * @example offsetText('Asia/Kolkata', 0) // '+05:30'
 */
export const offsetText = (timeZone: string, instantMs: number): string => {
  const offsetMs = offsetAt(timeZone, instantMs);
  return `${offsetMs < 0 ? '-' : '+'}${new Date(Math.abs(offsetMs)).toISOString().slice(11, 16)}`;
};

/**
 * An instant on the clocks of a time zone, to the second, as `--from` takes it.
 * @example localText('2026-11-20T05:30:00.000Z', 'Asia/Kolkata') // '2026-11-20T11:00:00+05:30'
 */
export const localText = (instant: string, timeZone: string): string => {
  const ms = Date.parse(instant);
  const local = new Date(ms + offsetAt(timeZone, ms)).toISOString().slice(0, 19);
  return `${local}${offsetText(timeZone, ms)}`;
};

/** Where a spreadsheet may begin a formula: in a cell or after a semicolon, with blanks before it (OWASP, “CSV Injection”). */
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

/** Where CSV is printed: its first line begins with a byte-order mark, without which Excel takes UTF-8 for something else. */
export const forSpreadsheets = ({ print }: Pick<Terminal, 'print'>): Pick<Terminal, 'print'> => {
  let mark = '\uFEFF';
  return {
    print(line) {
      print(mark + line);
      mark = '';
    },
  };
};

export const rejectTwoFormats = ({ json, csv }: { readonly json: boolean; readonly csv: boolean }): void => {
  if (json && csv) throw new Problem('Give --json or --csv, not both.', 2);
};
