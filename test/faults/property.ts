import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { print } from '../../sandbox/cli/terminal.ts';
import { holdsAsync, replayedPath } from '../support/arbitraries.ts';

/** `npm run faults` tries everything, `npm test` and `npm run test:long` a slice. */
export const isFull = process.env['FAULTS'] === 'full';

/** Prints what happens in a case, where one is played again. */
export const log = (line: () => string): void => {
  if (replayedPath !== undefined) print(line());
};

class Violation extends Error {
  override readonly name = 'Violation';
}

export const must = (holds: boolean, message: () => string): void => {
  if (!holds) throw new Violation(message());
};

/** How often things happened: cases in which nothing is parked and nothing crashes would prove little. */
export type Counters = Readonly<Record<string, number>>;

/** Plays so many cases. Returns what happened in them. A failure is shrunk, and shows the seed and path that play it again. */
export const tryCases = async <Case>(
  cases: fc.Arbitrary<Case>,
  runs: number,
  play: (one: Case) => Promise<Counters>,
): Promise<Counters> => {
  const sums: Record<string, number> = { cases: 0 };
  await holdsAsync(
    fc.asyncProperty(cases, async (one) => {
      for (const [what, count] of Object.entries({ cases: 1, ...(await play(one)) }))
        sums[what] = (sums[what] ?? 0) + count;
    }),
    runs,
  );
  return sums;
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
