import { callDurations, countMeanings } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { columnName, columnTypes } from './column.ts';
import { dayPartition, type TableName, tables } from './tables.ts';

export const resultTypes = [...columnTypes, 'bigint'] as const;

export interface ResultColumn {
  readonly name: string;
  readonly type: (typeof resultTypes)[number];
  readonly meaning: string;
}

// `handled` is the last count, as in 1.0.0: right before the durations, most of which are of handled calls.
const { handled, ...others } = countMeanings;

export const viewCounts = {
  ...others,
  inTime:
    'Answered calls that took at most `within_seconds`. The service level is in_time / service_level_calls; where calls were ' +
    'answered and time_to_answer_calls is 0, it is not known.',
  serviceLevelCalls:
    'Offered calls without short abandoned ones, where it is known whether they were answered in time.',
  givenUp: 'Abandoned calls that are not short. The abandonment is given_up / abandonment_calls.',
  abandonmentCalls: 'Offered calls without short abandoned ones, where it is known whether the customer gave up.',
  handled,
} as const;

type FigureColumn = ResultColumn & { readonly sql: string };

/** The numbers of the views of quarters. All but the longest time may be added up over quarters. */
export const figureColumns: readonly FigureColumn[] = [
  ...keysOf(viewCounts).map((count): FigureColumn => {
    const name = columnName(count);
    return { name, type: 'bigint', meaning: viewCounts[count], sql: count === 'calls' ? 'count(*)' : `sum(${name})` };
  }),
  ...keysOf(callDurations).flatMap((name): readonly FigureColumn[] => {
    const { field, of } = callDurations[name];
    const seconds = columnName(field);
    const meaning = `Calls that were ${of} and have ${seconds}.`;
    return [
      { name: `${columnName(name)}_calls`, type: 'bigint', meaning, sql: `count(${seconds})` },
      { name: seconds, type: 'double', meaning: `The sum of ${seconds} over these calls.`, sql: `sum(${seconds})` },
    ];
  }),
  {
    name: 'time_to_answer_longest_seconds',
    type: 'double',
    meaning: 'The longest time to answer.',
    sql: 'max(time_to_answer_seconds)',
  },
];

export const columnsOfTable = (table: TableName): readonly ResultColumn[] => [
  dayPartition,
  ...Object.entries(tables[table].columns).map(([name, { type, meaning }]) => ({ name, type, meaning })),
];

/** A name in both a view and a table has the table's column. */
const columnsByName = new Map(
  [...figureColumns, ...columnsOfTable('agent_changes'), ...columnsOfTable('call_revisions')].map((column) => [
    column.name,
    column,
  ]),
);

export const knownColumns = (names: readonly string[]): readonly ResultColumn[] =>
  names.map((name) => {
    const column = columnsByName.get(name);
    if (column === undefined) throw new Error(`${name} is a column of no table and no view.`);
    return column;
  });
