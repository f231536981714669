import { questions } from '../../functions/adapters/sql-files.ts';
import { dayPartition, tableColumns, tableEvents, tableMeanings } from '../../lib/analytics/columns.ts';
import type { SqlFile } from '../../lib/analytics/sql-file.ts';
import { views } from '../../lib/analytics/views.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { code, markdownTable } from './markdown.ts';

const tableSection = (table: keyof typeof tableColumns): string =>
  [
    `### ${table}`,
    `${tableMeanings[table]} From ${tableEvents[table].map((type) => `\`${type}\``).join(', ')}.`,
    markdownTable(
      ['Column', 'Type', 'Unit', 'Meaning', 'From'],
      [
        [code(dayPartition.name), code(dayPartition.type), '', dayPartition.meaning, ''],
        ...Object.entries(tableColumns[table]).map(([name, { type, unit = '', meaning, from }]) => [
          ...[code(name), code(type), unit, meaning, from.map(code).join(', ')],
        ]),
      ],
    ),
  ].join('\n\n');

const shapeOf = ({ columns }: SqlFile): string =>
  markdownTable(
    ['Column', 'Type', 'Meaning'],
    columns.map(({ name, type, meaning }) => [code(name), code(type), meaning]),
  );

/** A view of the columns of a table has them already. */
const viewSection = (view: SqlFile): string =>
  [
    `### ${view.name}`,
    view.meaning,
    view.columns.length > Object.keys(tableColumns.call_revisions).length
      ? 'Its columns are those of [call_revisions](#call_revisions).'
      : shapeOf(view),
  ].join('\n\n');

const questionSection = (question: SqlFile): string =>
  [`### ${question.title}`, `\`${question.name}\`: ${question.meaning}`, shapeOf(question)].join('\n\n');

/** The generated parts of the page of tables, views and questions, by their names. */
export const analyticsParts = () => ({
  'analytics-tables': keysOf(tableColumns).map(tableSection).join('\n\n'),
  'analytics-views': views.map(viewSection).join('\n\n'),
  'analytics-questions': questions().map(questionSection).join('\n\n'),
});
