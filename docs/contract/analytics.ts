import * as z from 'zod';
import { columnName, schemaAt } from '../../functions/transform-events/column.ts';
import { columnsOfTable, figureColumns, viewCounts } from '../../functions/transform-events/result-columns.ts';
import { questions, type SqlFile } from '../../functions/transform-events/sql-files.ts';
import { type TableName, tables } from '../../functions/transform-events/tables.ts';
import { views } from '../../functions/transform-events/views.ts';
import { countMeanings } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { code } from './markdown.ts';

const codes = (names: readonly string[]): string => names.map(code).join(', ');

/** Columns that repeat a field of the event are named with it: the contract has its meaning. */
const tableSection = (table: TableName): string => {
  const columns = columnsOfTable(table).map((column) => ({ ...column, field: fieldOf(table, column) }));
  const copies = Map.groupBy(
    columns.filter(({ field }) => field !== undefined),
    ({ type }) => type,
  );
  return [
    `### ${table}`,
    `${tables[table].meaning} From ${codes(tables[table].events)}.`,
    listOf(columns.filter(({ field }) => field === undefined)),
    'And with the field that each repeats:',
    [...copies]
      .map(
        ([type, some]) =>
          `- ${code(type)}: ${some.map(({ name, field = '' }) => `${code(name)} (${code(field)})`).join(', ')}`,
      )
      .join('\n'),
  ].join('\n\n');
};

/** The field of the event whose meaning a column has; undefined for one with a meaning of its own. */
const fieldOf = (table: TableName, { name, meaning }: Columns[number]): string | undefined => {
  const path = new Map(Object.entries(tables[table].columns)).get(name)?.from[0] ?? '';
  const field = schemaAt(tables[table].detail, path);
  return field && z.globalRegistry.get(field)?.description === meaning ? path : undefined;
};

/** Columns with their types and meanings; those that have the same, together. */
const listOf = (columns: Columns): string =>
  [...Map.groupBy(columns, ({ type, meaning }) => `(${code(type)}): ${meaning}`)]
    .map(([about, some]) => `- ${codes(some.map(({ name }) => name))} ${about}`)
    .join('\n');

type Columns = SqlFile['columns'];

const isKnown = (column: Columns[number]): boolean => {
  const known = [...columnsOfTable('call_revisions'), ...columnsOfTable('agent_changes'), ...figureColumns];
  return known.some(({ name, meaning }) => name === column.name && meaning === column.meaning);
};

/** The columns of an answer: the names that tables and figures have, and what its own are. */
const shapeOf = (columns: Columns): string => {
  const own = columns.filter((column) => !isKnown(column));
  const known = columns.filter(isKnown).map(({ name }) => name);
  return [...(known.length === 0 ? [] : [`Columns: ${codes(known)}${own.length === 0 ? '.' : ', and:'}`]), listOf(own)]
    .filter(Boolean)
    .join('\n\n');
};

const counts = keysOf(viewCounts).map(columnName);

const viewSection = ({ name, meaning, columns }: SqlFile): string => {
  const isOfTable = columns.length === columnsOfTable('call_revisions').length;
  const figures = new Set([...counts, ...figureColumns.map((one) => one.name)]);
  const others = columns.filter((column) => !figures.has(column.name));
  const hasFigures = others.length < columns.length;
  return [
    `### ${name}`,
    meaning,
    isOfTable
      ? 'It has the columns of [call_revisions](#call_revisions).'
      : shapeOf(hasFigures && !isOfTable ? others : columns),
    ...(!isOfTable && hasFigures ? ['And the [numbers of calls](#numbers-of-calls).'] : []),
  ].join('\n\n');
};

/** The numbers that the views of calls share. Those of a figure's name are that figure. */
const numbersOfCalls = (): string => {
  const figures = keysOf(countMeanings).map(columnName);
  const others = figureColumns.filter(({ name }) => counts.includes(name) && !figures.includes(name));
  const [first, ...durations] = figureColumns.filter(({ name }) => name.endsWith('_calls') && !counts.includes(name));
  return [
    `- ${codes(figures)}: the [figures](figures.md) of these names.`,
    ...others.map(({ name, meaning }) => `- ${code(name)}: ${meaning}`),
    `- ${code(first?.name ?? '')}: ${first?.meaning} \`time_to_answer_seconds\` is their sum, \`time_to_answer_longest_seconds\` the longest.`,
    `- ${codes(durations.map(({ name }) => name))}: the same of calls that were handled, with a sum each.`,
  ].join('\n');
};

const questionSection = (question: SqlFile): string =>
  [`### ${question.title}`, `${code(question.name)}: ${question.meaning}`, shapeOf(question.columns.slice(1))].join(
    '\n\n',
  );

/** The generated parts of the page of the analytics, by their names. */
export const analyticsParts = () => ({
  'analytics-tables': keysOf(tables).map(tableSection).join('\n\n'),
  'analytics-views': views.map(viewSection).join('\n\n'),
  'analytics-numbers': numbersOfCalls(),
  'analytics-questions': questions().map(questionSection).join('\n\n'),
});
