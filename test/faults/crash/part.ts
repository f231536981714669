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

/** All that is tried. */
export const scenarios = [...receiveScenarios, ...recoverScenarios, ...publishScenarios, ...pollScenarios];

/** Enough to have the streams read for several at once. */
const lanes = 8;

const drawnFull = 1_000;

/** Reports no more than can be read. */
const mostFailures = 20;

const progressEvery = 500;

/** Tries scenarios with faults on a stage that is set. */
export const crashPoints = async (stage: TestBed, { seed, size, onProgress }: PartOptions): Promise<PartReport> => {
  const random = seededRandom(seed);
  const meant = scenarios.filter(({ quick = false }) => size === 'full' || quick);
  const first = await mapConcurrently(lanes, meant, async (scenario) => ({
    scenario,
    ...(await tryPlan(stage, scenario, new Map())),
  }));
  const known = first.flatMap(({ scenario, ending }): readonly Baseline[] =>
    ending === undefined ? [] : [{ scenario, undisturbed: ending }],
  );

  const every = everyAttempt(known.filter(({ scenario }) => !scenario.drawnOnly));
  const single: readonly Attempt[] =
    size === 'full' ? shuffled(fork(random), every) : oneOfEachKind(every, fork(random));
  const drawn = drawnAttempts(known, fork(random), size === 'full' ? drawnFull : known.length);
  let done = 0;
  let runs = 0;
  const make = async ({ scenario, undisturbed, plan }: Attempt): Promise<AttemptResult> => {
    const { failures, ending } = await tryPlan(stage, scenario, plan, undisturbed);
    runs += 1;
    for (const failure of failures.slice(0, 1)) onProgress(failure.slice(0, 300));
    return { failures, struck: [...plan.keys()].filter((index) => index < (ending?.calls.length ?? 0)).length };
  };
  const all = [
    ...single.map((attempt) => () => untilInjected(attempt, make)),
    ...drawn.map((attempt) => () => make(attempt)),
  ];
  const tried = await mapConcurrently(lanes, all, async (act) => {
    const outcome = await act();
    done += 1;
    if (done % progressEvery === 0) onProgress(`${done} of ${all.length} attempts`);
    return outcome;
  });
  const failures = [...first, ...tried].flatMap((each) => each.failures);

  return {
    figures: [
      { what: 'scenarios', value: meant.length },
      {
        what: 'calls that can be cut',
        value: known.reduce((sum, { undisturbed }) => sum + undisturbed.calls.length, 0),
      },
      { what: 'attempts with one fault, at one call or its two tries', value: single.length },
      { what: 'attempts with two to four faults', value: drawn.length },
      { what: 'attempts made again, as the story had no such call that time', value: runs - all.length },
      { what: 'faults that struck', value: tried.reduce((sum, { struck }) => sum + struck, 0) },
      { what: 'attempts that broke a guarantee', value: tried.filter((each) => each.failures.length > 0).length },
    ],
    failures: failures.slice(0, mostFailures),
  };
};

/** Cuts the process at every call to AWS or the service, and lets the outside world try again. */
export const crash: Part = {
  name: 'crash',
  what: 'cuts processes at every call, over DynamoDB Local',
  async run(options) {
    const stage = await createTestBed();
    try {
      return await crashPoints(stage, options);
    } finally {
      await stage.close();
    }
  },
};
