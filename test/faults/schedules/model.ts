import fc from 'fast-check';

/** A number of histories of one model, from a seed of their own. */
export interface Chunk {
  readonly model: string;
  readonly seed: number;
  readonly runs: number;
  /** How long it may take, if not as long as usual. */
  readonly mostMs?: number;
}

/** What came of a chunk. */
export interface ChunkReport {
  readonly model: string;
  readonly played: number;
  readonly tally: Counters;
  /** What did not hold, and the smallest history that was found for it. */
  readonly failure?: string;
}

/** A model without the type of its histories: they come from a seed or from a file. */
export interface Model {
  readonly name: string;
  readonly run: (chunk: Chunk) => Promise<ChunkReport>;
  readonly replay: (history: unknown, tell?: Log) => Promise<Counters>;
}

/** To shrink a failure is given up after this time. What takes so long without one is a failure itself: it hangs. */
const usualMostMs = 300_000;

/** A model that plays like this. */
export const modelOf = <History>({ name, histories, play }: ModelDefinition<History>): Model => ({
  name,
  async run({ seed, runs, mostMs = usualMostMs }) {
    const tally: Record<string, number> = {};
    const property = fc.asyncProperty(histories, async (history) => {
      for (const [what, count] of Object.entries(await play(history))) tally[what] = (tally[what] ?? 0) + count;
    });
    const details = await fc.check(property, { seed, numRuns: runs, interruptAfterTimeLimit: mostMs });
    const { numRuns: played, numShrinks, errorInstance, counterexample } = details;
    if (counterexample === null) {
      const hung = details.interrupted && { failure: `${name}: a history after ${played} of seed ${seed} did not end` };
      return { model: name, played, tally, ...hung };
    }

    const [history] = counterexample;
    const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    const place = `${name}: history ${played} of seed ${seed}, shrunk ${numShrinks} times`;
    return { model: name, played, tally, failure: `${what} (${place}): ${JSON.stringify(history)}` };
  },
  replay: (history, tell) => play(history as History, tell),
});

/** Is told, a line at a time, what happens in a history. */
export type Log = (line: string) => void;

/** How often things happened: histories that never park or die would prove little. */
export type Counters = Readonly<Record<string, number>>;

/** One model: which histories there are, and how one is played and checked. Histories are plain data. */
export interface ModelDefinition<History> {
  readonly name: string;
  readonly histories: fc.Arbitrary<History>;
  /** Plays a history in a new world and checks what it led to. Throws where a guarantee does not hold. */
  readonly play: (history: History, tell?: Log) => Promise<Counters>;
}

/** A guarantee that did not hold. */
export class Violation extends Error {
  override readonly name = 'Breach';
}

/** Throws a breach, in these words, unless it holds. */
export const must = (holds: boolean, otherwise: () => string): void => {
  if (!holds) throw new Violation(otherwise());
};
