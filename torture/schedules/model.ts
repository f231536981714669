import fc from 'fast-check';
import type { Play, Tally, Tell } from './play.ts';

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
  readonly tally: Tally;
  /** What did not hold, and the smallest history that was found for it. */
  readonly failure?: string;
}

/** A model without the type of its histories: they come from a seed or from a file. */
export interface Model {
  readonly name: string;
  readonly run: (chunk: Chunk) => Promise<ChunkReport>;
  readonly replay: (history: unknown, tell?: Tell) => Promise<Tally>;
}

/** To shrink a failure is given up after this time. What takes so long without one is a failure itself: it hangs. */
const usualMostMs = 300_000;

/** A model that plays like this. */
export const modelOf = <History>({ name, histories, play }: Play<History>): Model => ({
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
