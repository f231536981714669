import { median } from '../../test/support/statistics.ts';
import { delaysOfAws } from '../aws/aws-endpoint.ts';
import { type LambdaProcess, startLambda } from '../lambda/lambda-process.ts';
import type { BenchOptions } from '../part.ts';
import type { MeasuredBundle, SentByName } from './bundles.ts';
import { startServices } from './services.ts';
import { invoke, timedRuns } from './timed-runs.ts';

/** In which surroundings processes are started: how far away AWS is, and from when on they have only their share of a processor. */
export interface Surroundings {
  readonly title: string;
  readonly hasDelays: boolean;
  readonly shareFrom?: 'start' | 'ready';
}

/** A bundle that is started with some memory, in MB. */
export interface StartedBundle extends MeasuredBundle {
  readonly memory: number;
}

/** From the start of the process. The warm run is the median of some. Milliseconds. */
interface OneStart {
  readonly readyMs: number;
  readonly replyMs: number;
  readonly rssBytes: number;
  readonly warmMs?: number;
  /** Processor time until the first reply, and of a warm run. */
  readonly processorMs: number;
  readonly warmProcessorMs?: number;
}

/** The first runs after a start, as a process of a small contact centre does not live for many. */
const warmRuns = 10;

const warmRunsOf = async (process: LambdaProcess, { name, nextEvent }: StartedBundle, cpuUs: number) => {
  if (nextEvent === undefined) return {};
  const runs = await timedRuns(process, name, { cpuUs, runs: warmRuns, nextEvent: (run) => nextEvent(1 + run) });
  return {
    warmMs: median(runs.map(({ ms }) => ms)),
    warmProcessorMs: median(runs.map(({ processorMs }) => processorMs)),
  };
};

/** Starts a bundle, invokes it, and ends it. Throws if an invocation fails. */
const startOnce = async (
  bundle: StartedBundle,
  { shareFrom }: Surroundings,
  awsUrl: string,
  sent: SentByName,
): Promise<OneStart> => {
  const { folder, environment, event, name, memory } = bundle;
  const settings = { folder, environment: environment(awsUrl), memory };
  const process = await startLambda(shareFrom ? { ...settings, shareFrom } : settings);
  try {
    const { ms, rssBytes, cpuUs } = await invoke(process, name, event(sent));
    const warm = shareFrom === 'ready' ? await warmRunsOf(process, bundle, cpuUs) : {};
    const { readyMs } = process;
    return { readyMs, replyMs: readyMs + ms, rssBytes, processorMs: cpuUs / 1_000, ...warm };
  } finally {
    await process.stop();
  }
};

/** A bundle's starts in some surroundings, one in each round. */
export interface Starts extends Pick<StartedBundle, 'name' | 'bytes' | 'memory' | 'functionName' | 'comparedWith'> {
  readonly rounds: readonly OneStart[];
}

const keyOf = ({ name, memory }: Pick<StartedBundle, 'name' | 'memory'>): string => `${name} ${memory}`;

/** Starts every bundle once a round. */
export const measureStarts = async (
  bundles: readonly StartedBundle[],
  surroundings: Surroundings,
  { repetitions, onProgress }: BenchOptions & { readonly onProgress: (line: string) => void },
): Promise<readonly Starts[]> => {
  const services = await startServices(surroundings.hasDelays ? { delays: delaysOfAws } : {});
  const rounds: ReadonlyMap<string, OneStart>[] = [];
  const sent = new Map<string, ReturnType<typeof services.takeRequests>>();
  try {
    // The first round fills the disk caches, and finds the requests of each function. It does not count.
    for (let round = 0; round <= repetitions; round++) {
      onProgress(`${surroundings.title}: round ${round} of ${repetitions}`);
      const started = new Map<string, OneStart>();
      // Every other round has the opposite order, so that no bundle always starts first.
      for (const each of round % 2 === 0 ? bundles : bundles.toReversed()) {
        started.set(keyOf(each), await startOnce(each, surroundings, services.url, sent));
        sent.set(each.name, services.takeRequests());
      }
      if (round > 0) rounds.push(started);
    }
  } finally {
    await services.close();
  }
  return bundles.map(({ name, bytes, memory, functionName, comparedWith }) => ({
    name,
    bytes,
    memory,
    functionName,
    ...(comparedWith && { comparedWith }),
    rounds: rounds.flatMap((round) => round.get(keyOf({ name, memory })) ?? []),
  }));
};

export type Figure = 'readyMs' | 'replyMs' | 'warmMs' | 'processorMs' | 'warmProcessorMs';

/** The figure of each round. */
export const valuesOf = ({ rounds }: Pick<Starts, 'rounds'>, figure: Figure): readonly number[] =>
  rounds.flatMap(({ [figure]: value }) => value ?? []);

/** The median of the ratios of the rounds, so that a slow minute of the machine slows down both sides. */
export const ratioOf = (one: Starts, other: Starts | undefined, figure: Figure): number | undefined => {
  const others = other === undefined ? [] : valuesOf(other, figure);
  const ratios = valuesOf(one, figure).map((value, round) => value / (others[round] ?? Number.NaN));
  return ratios.length === 0 || others.length === 0 ? undefined : median(ratios);
};
