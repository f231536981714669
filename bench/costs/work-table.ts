import type { Counts } from './counts.ts';
import type { Deployed } from './deployed.ts';
import { dollarFigure, figure } from './figures.ts';
import { dollarsOf, quantitiesOf } from './quantities-of.ts';
import type { Report } from './report.ts';
import type { Table } from './table.ts';

const head = [
  'Work',
  'Write units',
  'of them of indexes',
  'Read units',
  'Events',
  'Bytes of events',
  'Bytes in tables',
  'Bytes of log',
  'Function runs',
  '$ a million',
] as const;

/** What one piece of each kind of work takes. */
export const workTable = ({ calls, polls, deployed }: Report): Table => {
  const largest = polls.at(-1);
  if (largest === undefined) throw new Error('No polls were counted');
  const { agents, unchanged, changed, byAnother, taken } = largest;

  const works: readonly (readonly [string, Counts])[] = [
    ['new call', calls.first],
    ['new call of two agents', calls.transferred],
    ['repeat of a callback', calls.repeat],
    ['revision of a call', calls.revision],
    ['participant, with its call', calls.participant],
    [`poll of ${agents} agents, unchanged`, unchanged],
    [`poll of ${agents} agents, unchanged, other process`, byAnother],
    ...[...changed].map(([count, counts]) => [`poll of ${agents} agents, ${count} changed`, counts] as const),
    ['second tick of a slot', taken],
  ];
  return { head, rows: works.map(([name, counts]) => [name, ...cellsOf(counts, deployed)]) };
};

const cellsOf = (counts: Counts, deployed: Deployed): readonly string[] => [
  figure(counts.tableWriteUnits + counts.indexWriteUnits),
  figure(counts.indexWriteUnits),
  figure(counts.readUnits),
  figure(counts.events),
  figure(counts.eventBytes),
  figure(counts.tableBytes + counts.indexBytes),
  figure(counts.logBytes),
  figure(counts.receiverRuns + counts.publisherRuns + counts.pollerRuns),
  dollarFigure(1_000_000 * dollarsOf(quantitiesOf(counts, deployed))),
];
