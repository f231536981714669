import { median } from '../../test/support/statistics.ts';
import { type Part, type Table, withDynamodb, withTemporaryFolder } from '../part.ts';
import { type CountedWork, countWork, type Work } from './count-work.ts';
import { type CpuTime, startMeasured } from './cpu-time.ts';
import { type BundledPeer, bundledPeers } from './peers.ts';

interface ComparedPeer {
  readonly name: string;
  readonly bytes: { readonly receiver: number; readonly all: number };
  readonly work: CountedWork;
  /** Medians over the rounds. */
  readonly cpu: CpuTime;
  readonly cpuRounds: readonly CpuTime[];
}

/** Counts and times all peers. The timed rounds are interleaved, so a slow machine slows down all of them. */
const comparedPeers = async (
  bundles: readonly BundledPeer[],
  endpoint: string,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<readonly ComparedPeer[]> => {
  const work: CountedWork[] = [];
  for (const bundled of bundles) {
    onProgress(`counting the AWS calls of ${bundled.peer.name}`);
    work.push(await countWork(bundled, endpoint));
  }
  onProgress('timing them in interleaved rounds');
  const times = await timedInTurn(bundles, rounds);

  return bundles.flatMap(({ peer, receiver, publisher }, index) => {
    const counted = work[index];
    const cpuRounds = times[index] ?? [];
    if (counted === undefined) return [];
    return {
      name: peer.name,
      bytes: { receiver: receiver.bytes, all: receiver.bytes + (publisher?.bytes ?? 0) },
      work: counted,
      cpu: {
        receiverUs: medianOf(cpuRounds, ({ receiverUs }) => receiverUs),
        publisherUs: medianOf(cpuRounds, ({ publisherUs }) => publisherUs),
        publisherOfTenUs: medianOf(cpuRounds, ({ publisherOfTenUs }) => publisherOfTenUs),
      },
      cpuRounds,
    };
  });
};

const timedInTurn = async (bundles: readonly BundledPeer[], rounds: number): Promise<readonly CpuTime[][]> => {
  const measured = await Promise.all(bundles.map(startMeasured));
  const times: CpuTime[][] = measured.map(() => []);
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const [index, peer] of measured.entries()) times[index]?.push(await peer.round());
    return times;
  } finally {
    await Promise.all(measured.map(({ stop }) => stop()));
  }
};

const medianOf = (rounds: readonly CpuTime[], of: (time: CpuTime) => number): number => median(rounds.map(of));

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
  ['Receiver and publisher, KB', ({ bytes }) => kilobytes(bytes.all)],
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

/** A row for each measure, a column for each peer. Ratios are to the first one, which is ours. */
const peersTable = (compared: readonly ComparedPeer[]): Table => {
  const [ours] = compared;
  return {
    head: ['', ...compared.map(({ name }) => name)],
    rows: ours === undefined ? [] : rows.map(([title, cell]) => [title, ...compared.map((peer) => cell(peer, ours))]),
  };
};

/** How many times as much processor time as the plain receiver ours may take before the reply. */
const mostProcessorTime = 1.05;

/** The median of the ratios of the rounds, so that a slow minute of the machine slows down both sides. */
const processorRatio = (ours: ComparedPeer, plain: ComparedPeer): number =>
  median(
    ours.cpuRounds.map(({ receiverUs }, round) => {
      const ofPlain = plain.cpuRounds[round];
      if (ofPlain === undefined) throw new Error(`Round ${round} of the plain receiver is missing`);
      return receiverUs / ofPlain.receiverUs;
    }),
  );

const failuresOf = (compared: readonly ComparedPeer[]): readonly string[] => {
  const ours = compared.find(({ name }) => name === 'callfeed');
  const plain = compared.find(({ name }) => name === 'plain');
  if (ours === undefined || plain === undefined) throw new Error('Both receivers have to be compared');
  const { callsBeforeReply } = ours.work.first;
  const ratio = processorRatio(ours, plain);
  const failures: string[] = [];
  if (callsBeforeReply !== 1)
    failures.push(`A new call takes ${callsBeforeReply} AWS calls before the reply; the limit is exactly 1.`);
  if (ratio > mostProcessorTime)
    failures.push(
      `A callback takes ${ratio.toFixed(2)} x the processor time of the plain receiver before the reply; ` +
        `the limit is ${mostProcessorTime} x.`,
    );
  return failures;
};

/** The cost of a callback with ours and with what a team would otherwise deploy. */
export const peers: Part = {
  name: 'peers',
  what: 'size, AWS calls, write units and CPU of a callback, compared with two other receivers',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling the peers');
      const bundles = await bundledPeers(folder);
      return withDynamodb(async (endpoint) => {
        const compared = await comparedPeers(bundles, endpoint, repetitions, onProgress);
        return {
          tables: [{ title: 'Cost of one callback', table: peersTable(compared) }],
          data: compared,
          failures: failuresOf(compared),
        };
      });
    }),
};
