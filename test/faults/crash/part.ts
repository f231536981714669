import { fork, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import type { Part, PartOptions, PartReport } from '../part.ts';
import { pollScenarios } from './agents-scenarios.ts';
import { publishScenarios, receiveScenarios, recoverScenarios } from './calls-scenarios.ts';
import { createTestBed, type TestBed } from './run-scenario.ts';
import {
  type Attempt,
  type AttemptResult,
  type Baseline,
  drawnAttempts,
  everyAttempt,
  mapConcurrently,
  oneOfEachKind,
  tryPlan,
  untilInjected,
} from './try-plan.ts';

export const scenarios = [...receiveScenarios, ...recoverScenarios, ...publishScenarios, ...pollScenarios];

/** Runs at the same time, which share each read of a stream. */
const concurrency = 8;

const drawnFull = 500;

/** More failures would not be read. */
const maxFailures = 20;

const progressEvery = 500;

export const crashPoints = async (testBed: TestBed, { seed, size, onProgress }: PartOptions): Promise<PartReport> => {
  const random = seededRandom(seed);
  const first = await mapConcurrently(concurrency, scenarios, async (scenario) => ({
    scenario,
    ...(await tryPlan(testBed, scenario, new Map())),
  }));
  const known = first.flatMap(({ scenario, final }): readonly Baseline[] =>
    final !== undefined && (size === 'full' || scenario.quick) ? [{ scenario, baseline: final }] : [],
  );

  const every = everyAttempt(known.filter(({ scenario }) => !scenario.drawnOnly));
  const single: readonly Attempt[] =
    size === 'full' ? shuffled(fork(random), every) : oneOfEachKind(every, fork(random));
  const drawn = drawnAttempts(known, fork(random), size === 'full' ? drawnFull : known.length);
  let done = 0;
  let runs = 0;
  const make = async ({ scenario, baseline, plan }: Attempt): Promise<AttemptResult> => {
    const { failures, final } = await tryPlan(testBed, scenario, plan, baseline);
    runs += 1;
    for (const failure of failures.slice(0, 1)) onProgress(failure.slice(0, 300));
    return { failures, injected: [...plan.keys()].filter((index) => index < (final?.calls.length ?? 0)).length };
  };
  const all = [
    ...single.map((attempt) => () => untilInjected(attempt, make)),
    ...drawn.map((attempt) => () => make(attempt)),
  ];
  const tried = await mapConcurrently(concurrency, all, async (act) => {
    const outcome = await act();
    done += 1;
    if (done % progressEvery === 0) onProgress(`${done} of ${all.length} attempts`);
    return outcome;
  });
  const failures = [...first, ...tried].flatMap((each) => each.failures);

  return {
    figures: [
      { what: 'scenarios', value: scenarios.length },
      {
        what: 'calls at which a process can crash',
        value: known.reduce((sum, { baseline }) => sum + baseline.calls.length, 0),
      },
      { what: 'attempts with one fault, at one call or at its two tries', value: single.length },
      { what: 'attempts with two to four faults', value: drawn.length },
      { what: 'attempts repeated because the run made no such call', value: runs - all.length },
      { what: 'faults injected', value: tried.reduce((sum, { injected }) => sum + injected, 0) },
      { what: 'attempts that broke a guarantee', value: tried.filter((each) => each.failures.length > 0).length },
    ],
    failures: failures.slice(0, maxFailures),
  };
};

/** Crashes the process at every call to AWS or the service, and lets the outside world try again. */
export const crash: Part = {
  name: 'crash',
  what: 'a fault or a crash at every call, over DynamoDB Local',
  async run(options) {
    const testBed = await createTestBed();
    try {
      return await crashPoints(testBed, options);
    } finally {
      await testBed.close();
    }
  },
};
