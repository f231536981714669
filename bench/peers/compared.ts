import { median } from '../percentile.ts';
import type { BundledPeer } from './bundled-peers.ts';
import { type CountedWork, countWork } from './count-work.ts';
import { type CpuTime, startMeasured } from './measure-cpu.ts';

/** Everything that was found of a peer. */
export interface ComparedPeer {
  readonly name: string;
  readonly bytes: Sizes;
  readonly gzippedBytes: Sizes;
  readonly packages: readonly string[];
  readonly work: CountedWork;
  /** Medians over the rounds. */
  readonly cpu: CpuTime;
  readonly cpuRounds: readonly CpuTime[];
}

/** Of the receiver, and of all functions. */
export interface Sizes {
  readonly receiver: number;
  readonly all: number;
}

/** Counts and times all of them, the timed rounds in turn, so that what slows the machine slows them all. */
export const comparedPeers = async (
  bundles: readonly BundledPeer[],
  endpoint: string,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<readonly ComparedPeer[]> => {
  const work: CountedWork[] = [];
  for (const bundled of bundles) {
    onProgress(`counting what ${bundled.peer.name} asks of AWS`);
    work.push(await countWork(bundled, endpoint));
  }
  onProgress('timing them in turn');
  const times = await timedInTurn(bundles, rounds);

  return bundles.flatMap(({ peer, receiver, publisher }, index) => {
    const [counted, cpuRounds = []] = [work[index], times[index]];
    if (counted === undefined) return [];
    return {
      name: peer.name,
      bytes: { receiver: receiver.bytes, all: receiver.bytes + (publisher?.bytes ?? 0) },
      gzippedBytes: { receiver: receiver.gzippedBytes, all: receiver.gzippedBytes + (publisher?.gzippedBytes ?? 0) },
      packages: receiver.packages,
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
