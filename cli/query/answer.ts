import { type Cell, printCsv, report } from '../output/report.ts';
import { printableJson, type Terminal } from '../output/terminal.ts';

/** A value of an answer. A list is JSON. */
export type AnswerValue = string | number | boolean | null | readonly AnswerValue[];

/** What a question was answered with. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly AnswerValue[])[];
}

/** A number that JSON can hold exactly; otherwise its digits. */
export const numberOf = (digits: string): number | string =>
  Number.isSafeInteger(Number(digits)) || !/^-?\d+$/.test(digits) ? Number(digits) : digits;

const cellOf = (value: AnswerValue | undefined): Cell => {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
};

/** Prints an answer as a table, as CSV, or as one JSON object a line. */
export const printAnswer = (
  terminal: Terminal,
  { columns, rows }: Answer,
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
): void => {
  if (csv) {
    printCsv(terminal, columns);
    for (const row of rows) printCsv(terminal, row.map(cellOf));
    return;
  }
  const valueIn = (row: Answer['rows'][number]) => columns.map((name, index) => [name, row[index]] as const);
  if (json) {
    for (const row of rows) terminal.print(printableJson(Object.fromEntries(valueIn(row))));
    return;
  }
  const cells = rows.map((row) =>
    Object.fromEntries(valueIn(row).map(([name, value]) => [name, cellOf(rounded(value))])),
  );
  const headings = Object.fromEntries(columns.map((name) => [name, name.replaceAll('_', ' ').toUpperCase()]));
  report(terminal, false, headings, cells);
};

/** Nobody reads the digits of a share behind the third. */
const rounded = (value: AnswerValue | undefined): AnswerValue | undefined =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
