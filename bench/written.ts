import { markdownTable, plainTable, type Table } from './costs/table.ts';
import type { Machine } from './machine.ts';
import type { PartReport } from './part.ts';

/** What a part measured, and how long it took. */
export interface Ran {
  readonly name: string;
  readonly seconds: number;
  readonly report: PartReport;
}

/** A run: on which machine, how often everything was timed, and what came of it. */
export interface Run {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly ran: readonly Ran[];
}

const machineLine = ({ machine, repetitions }: Run): string =>
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}; ${repetitions} repetitions.`;

const tablesOf = ({ report }: Ran, titled: (title: string) => string, table: (table: Table) => string): string =>
  report.tables.map((each) => [titled(each.title), '', table(each.table)].join('\n')).join('\n\n');

const missed = ({ ran }: Run): readonly string[] =>
  ran.flatMap(({ name, report }) => report.failures.map((failure) => `Missed, ${name}: ${failure}`));

const plain = (run: Run): string =>
  [machineLine(run), ...run.ran.map((ran) => tablesOf(ran, (title) => `${title}:`, plainTable)), ...missed(run)].join(
    '\n\n',
  );

const markdown = (run: Run): string =>
  [
    machineLine(run),
    ...run.ran.map((ran) => `### ${ran.name}\n\n${tablesOf(ran, (title) => `${title}:`, markdownTable)}`),
    ...missed(run),
  ].join('\n\n');

/** How a run is written: what was missed at the end, where it is seen. */
export const written = { plain, markdown, json: (run: Run): string => JSON.stringify(run, undefined, 2) } as const;
