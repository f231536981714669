import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { print } from '../../sandbox/cli/terminal.ts';
import { replayedPath, runParameters } from '../support/arbitraries.ts';
import { type HistoryEntry, historyText } from './history-rows.ts';

/** `npm run faults` tries everything, `npm test` and `npm run test:long` a slice. */
export const isFull = process.env['FAULTS'] === 'full';

/** What happens in the smallest case that fails, which is played once more to be shown; undefined in any other case. */
let shown: HistoryEntry[] | undefined;

/** Notes what happens in a case: a step, or a line about it. Nothing is made of it unless the case is shown. */
export const log = (entry: () => HistoryEntry): void => void shown?.push(entry());

const shownEntries = async (play: () => Promise<unknown>): Promise<readonly HistoryEntry[]> => {
  const entries: HistoryEntry[] = [];
  shown = entries;
  // That it fails is known; how, too.
  await play().catch(() => undefined);
  shown = undefined;
  return entries;
};

class Violation extends Error {
  override readonly name = 'Violation';
}

export const must = (holds: boolean, message: () => string): void => {
  if (!holds) throw new Violation(message());
};

/** How often things happened: cases in which nothing is parked and nothing crashes would prove little. */
export type Counters = Readonly<Record<string, number>>;

/**
 * Plays so many cases. Returns what happened in them. A failure is shrunk, and shows the smallest case as rows, with the seed and
 * path that play it again.
 */
export const tryCases = async <Case>(
  cases: fc.Arbitrary<Case>,
  runs: number,
  play: (one: Case) => Promise<Counters>,
): Promise<Counters> => {
  const sums: Record<string, number> = { cases: 0 };
  const property = fc.asyncProperty(cases, async (one) => {
    for (const [what, count] of Object.entries({ cases: 1, ...(await play(one)) }))
      sums[what] = (sums[what] ?? 0) + count;
  });
  const tried = await fc.check(property, runParameters(runs));
  if (!tried.failed) return sums;

  const { counterexample, counterexamplePath, errorInstance, seed } = tried;
  if (counterexample === null) throw new Error(fc.defaultReportMessage(tried));
  const entries = await shownEntries(() => play(counterexample[0]));
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const again = `Play it again: FC_SEED=${seed} FC_PATH=${counterexamplePath}, and the name of this test with -t.`;
  const parts = [reason, historyText(entries), again].filter((part) => part !== '');
  throw new Error(parts.join('\n\n'), { cause: errorInstance });
};

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** Prints the figures of a full run. */
export const show = (title: string, figures: Counters): void => {
  const rows = Object.entries(figures).map(([what, value]) => `| ${what} | ${numbers.format(value)} |`);
  if (isFull) print(['', `| ${title} | |`, '|---|--:|', ...rows.sort(), ''].join('\n'));
};

/** Each of these has happened. One case that is played again need not have all. */
export const mustHappen = (counters: Counters, ...names: readonly string[]): void => {
  if (replayedPath === undefined) expect(names.filter((name) => !(Number(counters[name]) > 0))).toEqual([]);
};

/** Histories that once broke a guarantee, of the product or of a copy with a seeded fault, with what each showed and when. */
export const regressionsIn = <History>(kind: 'calls' | 'agents') =>
  readFileSync(new URL(`schedules/regressions/${kind}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): { readonly name: string; readonly what: string; readonly history: History } => JSON.parse(line));
