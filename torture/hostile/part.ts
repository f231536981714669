import { seededRandom } from '../../sandbox/simulator/random.ts';
import type { Figure, Part, PartOptions } from '../part.ts';
import { classes } from './classes.ts';
import { flood } from './flood.ts';
import { hostileSizes } from './hostile-sizes.ts';
import { tryLies } from './http/try-lies.ts';
import { grow, tooFast } from './measure/grow.ts';
import type { Growth } from './measure/growth.ts';
import { bytesPerCase, memoryFailures } from './measure/memory-verdict.ts';
import { createReceiver } from './receiver.ts';
import { type CasesOptions, runCases } from './run-cases.ts';
import { type Counts, type Tally, together } from './tally.ts';
import { runInWorker } from './workers.ts';

const onePercent = 100;

/** In this thread, or in as many workers as the size says. */
const tallies = async ({ seed, size: name, onProgress }: PartOptions) => {
  const { requests, answers, rounds, workers } = hostileSizes[name];
  const shares = Math.max(1, workers);
  const each = { seed, rounds, shares, requests: requests / shares, answers: answers / shares };
  if (workers === 0) return [await runCases({ ...each, share: 0 } satisfies CasesOptions)];
  return Promise.all(
    Array.from({ length: workers }, (_, share) =>
      runInWorker({ ...each, share }, (round) =>
        onProgress(`worker ${share + 1} has done ${Math.round(((round + 1) / rounds) * onePercent)} %`),
      ),
    ),
  );
};

const isTally = (result: object): result is Tally => 'requests' in result;

const figuresOf = (tally: Counts, growths: readonly Growth[], grown: number): readonly Figure[] => {
  const steepest = growths.toSorted((a, b) => b.exponent - a.exponent)[0];
  return [
    { what: 'requests', value: tally.requests },
    { what: 'answers of getAgentLogins', value: tally.answers },
    ...Object.entries(tally.outcomes).map(([what, value]) => ({ what, value })),
    { what: 'CPU time of a request, mean', value: tally.cpuMicroseconds / tally.requests / 1_000, unit: 'ms' },
    { what: 'CPU time per KB, mean', value: tally.cpuMicroseconds / (tally.bytes / 1_024) / 1_000, unit: 'ms' },
    {
      what: `CPU time per KB, worst (request ${tally.worst.number})`,
      value: tally.worst.microsecondsPerKb / 1_000,
      unit: 'ms',
    },
    { what: 'kinds of text of which the growth was measured', value: growths.length },
    { what: `steepest growth, a power of the size (${steepest?.name})`, value: steepest?.exponent ?? 0 },
    { what: 'memory that stays with each case', value: Math.max(0, grown), unit: 'bytes' },
  ];
};

const run: Part['run'] = async (options) => {
  const { seed, size: name, onProgress } = options;
  const size = hostileSizes[name];
  const results = await tallies(options);
  const whole = results.filter(isTally);
  if (whole.length === 0) return { figures: [], failures: results.flatMap(({ failures }) => failures) };

  const tally = together(whole);
  const casesPerRound = (size.requests + size.answers) / Math.max(1, size.workers) / size.rounds;
  const lies = await tryLies(seededRandom(seed), size.lieRounds);
  onProgress(`${lies.told} lies told over HTTP`);
  const flooded = await flood(createReceiver('open'));
  const growths = await grow(createReceiver('open'), name, onProgress);
  const empty = size.needsEveryClass ? classes.filter((one) => tally.outcomes[one] === undefined) : [];
  return {
    figures: [
      ...figuresOf(tally, growths, Math.max(...whole.map(({ used }) => bytesPerCase(used, casesPerRound)))),
      { what: 'lies told over HTTP', value: lies.told },
      { what: 'of which were read as an answer', value: lies.answered },
      { what: `kept of ${flooded.posts} posts of strangers in one minute`, value: flooded.kept },
    ],
    failures: [
      ...results.flatMap(({ failures }) => failures),
      ...whole.flatMap(({ used }) => memoryFailures(used, casesPerRound, size.mostBytesPerCase)),
      ...lies.breaches.map((breach) => `${breach} (seed ${seed})`),
      ...flooded.breaches,
      ...tooFast(growths),
      ...empty.map((one) => `Nothing ever came to “${one}”: the changes do not reach that far`),
    ],
  };
};

/** Generated and mutated requests and answers: nothing crashes, leaks, gets lost, pollutes, or grows out of proportion. */
export const hostile: Part = {
  name: 'hostile',
  what: 'generated and mutated posts and answers, each held against what is promised of any',
  run,
};
