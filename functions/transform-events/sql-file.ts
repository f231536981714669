import { knownColumns, type ResultColumn, resultTypes } from './known-columns.ts';

/** A view or a question: SQL in Athena's dialect, with what its header says about it. */
export interface SqlFile {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly columns: readonly ResultColumn[];
  readonly sql: string;
}

/**
 * Reads the text of a file. Its header has lines such as `-- title: Calls`, `-- meaning: …`, `-- columns: account skill_name` for
 * columns that tables and views have under these names, and `-- column: share double: Their share.` for one of its own.
 */
export const readSqlFile = (name: string, text: string): SqlFile => {
  const lines = text.trimEnd().split('\n');
  const header = (key: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`-- ${key}: `) ? [line.slice(key.length + 5)] : []));
  return {
    name,
    title: header('title').join(' '),
    meaning: header('meaning').join(' '),
    columns: lines.flatMap(columnsIn),
    sql: lines.filter((line) => !line.startsWith('-- ')).join('\n'),
  };
};

const columnsIn = (line: string): readonly ResultColumn[] => {
  if (line.startsWith('-- columns: ')) return knownColumns(line.slice(12).split(' '));
  return line.startsWith('-- column: ') ? [columnOf(line.slice(11))] : [];
};

const columnOf = (text: string): ResultColumn => {
  const [, name = '', type, meaning = ''] = /^(\w+) (\S+): (.+)$/.exec(text) ?? [];
  const known = resultTypes.find((one) => one === type);
  if (known === undefined) throw new Error(`This is no column: ${text}`);
  return { name, type: known, meaning };
};

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** How a question writes its days: the last four weeks, unless somebody asks for others. */
const lastDays = { from: "current_date - INTERVAL '28' DAY", to: 'current_date' } as const;

/** A question about other days than those up to today. */
export const withPeriod = (sql: string, { from, to }: Period): string =>
  sql.replaceAll(lastDays.from, `DATE '${from}'`).replaceAll(lastDays.to, `DATE '${to}'`);
