import type { Table } from '../costs/table.ts';
import type { ComparedPeer } from './compared.ts';
import type { Work } from './count-work.ts';

type Cell = (peer: ComparedPeer, ours: ComparedPeer) => string;

const kilobytes = (bytes: number): string => String(Math.round(bytes / 1_000));

const callsOf = ({ callsBeforeReply, calls }: Work): string => `${callsBeforeReply}, ${calls} in all`;

const unitsOf = ({ writeUnits, indexWriteUnits }: Work): string =>
  indexWriteUnits === 0 ? String(writeUnits) : `${writeUnits}, ${indexWriteUnits} of them in indexes`;

const timed = (us: number, ours: number): string => `${(us / 1_000).toFixed(2)} ms, ${(us / ours).toFixed(2)} x`;

const oneByOne = ({ cpu }: ComparedPeer): number => cpu.receiverUs + cpu.publisherUs;

const byTens = ({ cpu }: ComparedPeer): number => cpu.receiverUs + cpu.publisherOfTenUs;

const rows: readonly (readonly [title: string, cell: Cell])[] = [
  ['Receiver’s bundle, KB', ({ bytes }) => kilobytes(bytes.receiver)],
  ['gzipped, KB', ({ gzippedBytes }) => kilobytes(gzippedBytes.receiver)],
  ['All bundles, KB', ({ bytes }) => kilobytes(bytes.all)],
  ['AWS calls before the reply: new call', ({ work }) => callsOf(work.first)],
  ['… repeat', ({ work }) => callsOf(work.repeat)],
  ['… revision', ({ work }) => callsOf(work.revision)],
  ['Events: new call, repeat, revision', ({ work }) => eventsOf(work)],
  ['Write units: new call', ({ work }) => unitsOf(work.first)],
  ['… repeat', ({ work }) => unitsOf(work.repeat)],
  ['… revision', ({ work }) => unitsOf(work.revision)],
  ['CPU before the reply', ({ cpu }, ours) => timed(cpu.receiverUs, ours.cpu.receiverUs)],
  ['CPU in all, changes published one by one', (peer, ours) => timed(oneByOne(peer), oneByOne(ours))],
  ['CPU in all, ten at a time', (peer, ours) => timed(byTens(peer), byTens(ours))],
];

const eventsOf = ({ first, repeat, revision }: ComparedPeer['work']): string =>
  [first, repeat, revision].map(({ events }) => events).join(', ');

/** A row for each measure, a column for each peer; ratios are to the first of them, which is ours. */
export const peersTable = (compared: readonly ComparedPeer[]): Table => {
  const [ours] = compared;
  return {
    head: ['', ...compared.map(({ name }) => name)],
    rows: ours === undefined ? [] : rows.map(([title, cell]) => [title, ...compared.map((peer) => cell(peer, ours))]),
  };
};
