import { readFileSync } from 'node:fs';
import { knownColumns, type ResultColumn, resultTypes } from './result-columns.ts';

export interface SqlFile {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly columns: readonly ResultColumn[];
  readonly sql: string;
}

/**
 * Reads a question, such as `-- question calls: Which calls?`. Its header goes on with lines such as `-- meaning: …`,
 * `-- columns: account skill_name` for columns that tables and views have under these names, and
 * `-- column: share double: Their share.` for one of its own.
 */
export const readQuestion = (text: string): SqlFile => {
  const lines = text.trimEnd().split('\n');
  const [, name = '', title = ''] = /^-- question ([\w-]+): (.+)/.exec(text) ?? [];
  return {
    name,
    title,
    meaning: lines.flatMap((line) => headerText(line, 'meaning') ?? []).join(' '),
    columns: lines.flatMap(columnsIn),
    sql: lines.filter((line) => !line.startsWith('-- ')).join('\n'),
  };
};

const headerText = (line: string, key: string): string | undefined => {
  const start = `-- ${key}: `;
  return line.startsWith(start) ? line.slice(start.length) : undefined;
};

const columnsIn = (line: string): readonly ResultColumn[] => {
  const names = headerText(line, 'columns');
  const own = headerText(line, 'column');
  if (names !== undefined) return knownColumns(names.split(' '));
  return own === undefined ? [] : [columnOf(own)];
};

const columnOf = (text: string): ResultColumn => {
  const [, name = '', typeName, meaning = ''] = /^(\w+) (\S+): (.+)$/.exec(text) ?? [];
  const type = resultTypes.find((one) => one === typeName);
  if (type === undefined) throw new Error(`This is no column: ${text}`);
  return { name, type, meaning };
};

export const questions = (): readonly SqlFile[] =>
  readFileSync(new URL('questions.sql', import.meta.url), 'utf8')
    .split(/^(?=-- question )/m)
    .map(readQuestion);

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** How a question writes its days: the last four weeks, unless somebody asks for others. */
const lastDays = { from: "current_date - INTERVAL '28' DAY", to: 'current_date' } as const;

export const withPeriod = (sql: string, { from, to }: Period): string =>
  sql.replaceAll(lastDays.from, `DATE '${from}'`).replaceAll(lastDays.to, `DATE '${to}'`);
