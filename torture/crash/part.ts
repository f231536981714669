import { fork, seededRandom, shuffled } from '../../sandbox/simulator/random.ts';
import type { Part, PartOptions, PartReport } from '../part.ts';
import { type Attempt, drawnAttempts, everyAttempt, type Known, oneOfEachKind } from './attempts.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { sideBySide } from './side-by-side.ts';
import { type Stage, setStage } from './stage.ts';
import { tryPlan } from './try-plan.ts';

/** Enough to have the streams read for several at once. */
const lanes = 8;

const drawnFull = 1_000;

/** Reports no more than can be read. */
const mostFailures = 20;

const progressEvery = 500;

/** Tries scenarios with faults on a stage that is set. */
export const crashPoints = async (stage: Stage, { seed, size, onProgress }: PartOptions): Promise<PartReport> => {
  const random = seededRandom(seed);
  const meant = scenarios.filter(({ quick = false }) => size === 'full' || quick);
  const first = await sideBySide(lanes, meant, async (scenario) => ({
    scenario,
    ...(await tryPlan(stage, scenario, new Map())),
  }));
  const known = first.flatMap(({ scenario, ending }): readonly Known[] =>
    ending === undefined ? [] : [{ scenario, undisturbed: ending }],
  );

  const every = everyAttempt(known.filter(({ scenario }) => !scenario.drawnOnly));
  const single: readonly Attempt[] =
    size === 'full' ? shuffled(fork(random), every) : oneOfEachKind(every, fork(random));
  const drawn = drawnAttempts(known, fork(random), size === 'full' ? drawnFull : known.length);
  let done = 0;
  const tried = await sideBySide(lanes, [...single, ...drawn], async ({ scenario, undisturbed, plan }) => {
    const { failures, ending } = await tryPlan(stage, scenario, plan, undisturbed);
    done += 1;
    for (const failure of failures.slice(0, 1)) onProgress(failure.slice(0, 300));
    if (done % progressEvery === 0) onProgress(`${done} of ${single.length + drawn.length} runs`);
    return { failures, struck: [...plan.keys()].filter((index) => index < (ending?.calls.length ?? 0)).length };
  });
  const missed = tried.slice(0, single.length).filter(({ failures, struck }) => failures.length + struck === 0).length;
  const failures = [
    ...first.flatMap((each) => each.failures),
    ...(missed > 0 ? [`${missed} single faults met no call: the stories are not the same every time`] : []),
    ...tried.flatMap((each) => each.failures),
  ];

  return {
    figures: [
      { what: 'scenarios', value: meant.length },
      {
        what: 'calls that can be cut',
        value: known.reduce((sum, { undisturbed }) => sum + undisturbed.calls.length, 0),
      },
      { what: 'runs with one fault, at one call or its two tries', value: single.length },
      { what: 'runs with two to four faults', value: drawn.length },
      { what: 'faults that struck', value: tried.reduce((sum, { struck }) => sum + struck, 0) },
      { what: 'runs that broke a guarantee', value: tried.filter((each) => each.failures.length > 0).length },
    ],
    failures: failures.slice(0, mostFailures),
  };
};

/** Cuts the process at every call to AWS or the service, and lets the outside world try again. */
export const crash: Part = {
  name: 'crash',
  what: 'cuts processes at every call, over DynamoDB Local',
  async run(options) {
    const stage = await setStage();
    try {
      return await crashPoints(stage, options);
    } finally {
      await stage.close();
    }
  },
};
