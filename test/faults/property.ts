import fc from 'fast-check';

/** One kind of random test: which histories there are, and how one is played and checked. Histories are plain data. */
export interface ModelDefinition<History> {
  readonly name: string;
  readonly histories: fc.Arbitrary<History>;
  /** Plays a history in a new world and checks the result. Throws if a guarantee does not hold. */
  readonly play: (history: History, log?: Log) => Promise<Counters>;
}

/** Receives a line for each thing that happens in a history. */
export type Log = (line: string) => void;

/** How often things happened: histories in which nothing is parked and nothing crashes would prove little. */
type Counters = Readonly<Record<string, number>>;

export interface Chunk {
  readonly model: string;
  readonly seed: number;
  readonly runs: number;
}

export interface ChunkReport {
  readonly model: string;
  readonly played: number;
  readonly counters: Counters;
  /** What did not hold, and how to reproduce it with the smallest history found. */
  readonly failure?: string;
}

/** After this time shrinking stops. A chunk that takes so long without a failure waits for a promise that never settles. */
const maxMs = 300_000;

export const modelOf = <History>({ name, histories, play }: ModelDefinition<History>) => ({
  name,
  async run({ seed, runs }: Chunk, onCase?: (number: number) => void): Promise<ChunkReport> {
    const counters: Record<string, number> = {};
    let cases = 0;
    const property = fc.asyncProperty(histories, async (history) => {
      cases += 1;
      onCase?.(cases);
      for (const [what, count] of Object.entries(await play(history))) counters[what] = (counters[what] ?? 0) + count;
    });
    const details = await fc.check(property, { seed, numRuns: runs, interruptAfterTimeLimit: maxMs });
    const { numRuns: played, errorInstance, counterexamplePath: path } = details;
    if (path === null) {
      const hung = details.interrupted && { failure: `${name}: a history after ${played} of seed ${seed} did not end` };
      return { model: name, played, counters, ...hung };
    }
    const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    return {
      ...{ model: name, played, counters },
      failure: `${what} — to reproduce it: node test/faults/replay.ts ${name} ${seed} ${path}`,
    };
  },
  replay: (history: unknown, log?: Log): Promise<Counters> => play(history as History, log),
  /** The history of a seed, at the path that fast-check reports for a counterexample. */
  historyAt: (seed: number, path: string): unknown => fc.sample(histories, { seed, path, numRuns: 1 })[0],
});

export type Model = ReturnType<typeof modelOf>;

class Violation extends Error {
  override readonly name = 'Violation';
}

export const must = (holds: boolean, message: () => string): void => {
  if (!holds) throw new Violation(message());
};
