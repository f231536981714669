/** One step of a history, as somebody reads it who looks for the reason of a failure. */
export interface HistoryStep {
  /** When, by the clock of the history (ISO instant). */
  readonly at: string;
  /** What came, such as the fields of a post. */
  readonly what: string;
  /** Who served it, and by which settings. */
  readonly by?: string;
  /** What became of it. */
  readonly became?: string;
}

/** A step, or a line about the one before. */
export type HistoryEntry = HistoryStep | string;

/** The fields of a record as it was sent, in one line. @example 'CallID=4101 Status=Answered' */
export const fieldsText = (record: object): string =>
  Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');

/** The second is enough, unless something happened within it. */
const timeText = (at: string): string => at.replace('T', ' ').replace(/(?:\.000)?Z$/, '');

const cellsOf = ({ at, what, by = '', became = '' }: HistoryStep): readonly string[] => [
  timeText(at),
  what,
  by,
  became,
];

/** A longer cell moves the rest of its row, and not that of all rows. */
const maxWidth = 72;

/** A history as rows, one for each step: its columns are below each other. */
export const historyText = (entries: readonly HistoryEntry[]): string => {
  const rows = entries.map((entry) => (typeof entry === 'string' ? entry : cellsOf(entry)));
  const cells = rows.filter((row) => typeof row !== 'string');
  const widthOf = (column: number): number =>
    Math.min(maxWidth, Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  const widths = [0, 1, 2, 3].map(widthOf);
  return rows
    .map((row) =>
      typeof row === 'string'
        ? row
        : row
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
    )
    .join('\n');
};
