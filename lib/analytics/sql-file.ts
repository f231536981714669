import { columnTypes } from './column.ts';
import { dayPartition, tableColumns } from './columns.ts';

/** The types of results: those of columns, and of numbers that were counted. */
const resultTypes = [...columnTypes, 'bigint'] as const;

/** A column of the result of a view or question. */
export interface ResultColumn {
  readonly name: string;
  readonly type: (typeof resultTypes)[number];
  readonly meaning: string;
}

/** A view or a question: SQL in Athena's dialect, with what its header says about it. */
export interface SqlFile {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  /** The shape of its result, in order. */
  readonly columns: readonly ResultColumn[];
  readonly sql: string;
}

/**
 * Reads the text of a file. Its header has lines such as `-- title: Calls`, `-- meaning: …` and
 * `-- column: skill_name string: The skill.`; `-- columns: call_revisions` stands for the columns of that table and its day.
 */
export const readSqlFile = (name: string, text: string): SqlFile => {
  const lines = text.trimEnd().split('\n');
  const header = (key: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`-- ${key}: `) ? [line.slice(key.length + 5)] : []));
  return {
    name,
    title: header('title').join(' '),
    meaning: header('meaning').join(' '),
    columns: [...header('columns').flatMap(columnsOfTable), ...header('column').map(columnOf)],
    sql: lines.filter((line) => !line.startsWith('-- ')).join('\n'),
  };
};

const columnsOfTable = (name: string): readonly ResultColumn[] => {
  const columns = new Map(Object.entries(tableColumns)).get(name);
  if (columns === undefined) throw new Error(`${name} is no table.`);
  return [
    dayPartition,
    ...Object.entries(columns).map(([column, { type, meaning }]) => ({ name: column, type, meaning })),
  ];
};

const columnOf = (text: string): ResultColumn => {
  const [, name = '', type, meaning = ''] = /^(\w+) (\S+): (.+)$/.exec(text) ?? [];
  const known = resultTypes.find((one) => one === type);
  if (known === undefined) throw new Error(`This is no column: ${text}`);
  return { name, type: known, meaning };
};

/** The first and the last day of a question, in UTC. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** How a question writes its days: the last four weeks, unless somebody asks for others. */
const lastDays = { from: "current_date - INTERVAL '28' DAY", to: 'current_date' } as const;

/** A question about other days than those up to today. */
export const withPeriod = (sql: string, { from, to }: Period): string =>
  sql.replaceAll(lastDays.from, `DATE '${from}'`).replaceAll(lastDays.to, `DATE '${to}'`);
