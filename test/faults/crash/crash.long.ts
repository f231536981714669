import { fork, type Random, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import type { Part, PartOptions, PartReport } from '../parts.ts';
import { check } from './check.ts';
import { drawnPlan, everyPlan, type Plan, planText } from './processes.ts';
import { createTestBed, type FinalState, runScenario, type Scenario, type TestBed } from './scenario.ts';
import { pollScenarios, publishScenarios, receiveScenarios, recoverScenarios } from './scenarios.ts';

interface PlanResult {
  readonly final: FinalState | undefined;
  /** Each broken guarantee, and how to reproduce it. */
  readonly failures: readonly string[];
}

/** Plays a scenario with faults and compares the final state with the baseline. Without a baseline it becomes the baseline. */
export const tryPlan = async (
  testBed: TestBed,
  scenario: Scenario,
  plan: Plan,
  baseline?: FinalState,
): Promise<PlanResult> => {
  const faults = plan.size === 0 ? 'none' : planText(plan);
  const described = (problem: string): string =>
    `${scenario.name} with ${faults}: ${problem.slice(0, 1_500)} — to reproduce it: node test/faults/replay.ts ${scenario.name} ${faults}`;
  try {
    const final = await runScenario(testBed, scenario, plan);
    const problems = await check(scenario, final, baseline ?? final);
    return { final, failures: problems.map(described) };
  } catch (error) {
    return {
      final: undefined,
      failures: [described(error instanceof Error ? (error.stack ?? error.message) : String(error))],
    };
  }
};

interface AttemptResult {
  readonly failures: readonly string[];
  /** How many of the planned faults were injected. */
  readonly injected: number;
}

/** After so many runs without the call the baseline must be wrong. */
const maxTries = 5;

/**
 * Repeats an attempt until its fault is injected. A stream delivers what it has at the time, so the number of the
 * publisher’s calls varies, most on a busy machine; and no single fault may be left out.
 */
const untilInjected = async (
  attempt: Attempt,
  make: (attempt: Attempt) => Promise<AttemptResult>,
): Promise<AttemptResult> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const result = await make(attempt);
    if (result.failures.length > 0 || result.injected > 0) return result;
  }
  const { scenario, plan } = attempt;
  return { failures: [`${scenario.name} with ${planText(plan)}: was never injected in ${maxTries} runs`], injected: 0 };
};

/** Applies `act` to every item, so many at a time. The results are in the order of the items. */
const mapConcurrently = async <In, Out>(
  concurrency: number,
  items: readonly In[],
  act: (item: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results: Out[] = new Array(items.length);
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
};

/** A scenario, its final state without a fault, and the planned faults. */
export interface Attempt {
  readonly scenario: Scenario;
  readonly baseline: FinalState;
  readonly plan: Plan;
}

type Baseline = Omit<Attempt, 'plan'>;

const everyAttempt = (known: readonly Baseline[]): readonly Attempt[] =>
  known.flatMap(({ scenario, baseline }) => everyPlan(baseline.calls).map((plan) => ({ scenario, baseline, plan })));

/** So many attempts with several random faults, spread over all scenarios. */
const drawnAttempts = (known: readonly Baseline[], random: Random, count: number): readonly Attempt[] =>
  known.flatMap(({ scenario, baseline }) =>
    Array.from({ length: Math.ceil(count / known.length) }, () => ({
      ...{ scenario, baseline },
      plan: drawnPlan(random, baseline.calls.length),
    })),
  );

const kindOf = ({ baseline, plan }: Attempt): string => {
  const [first = 0] = plan.keys();
  return [baseline.calls[first]?.split(' ').slice(0, 2), ...plan.values()].join(' ');
};

/** One fault, or a failure of a call and of its retry. */
const isPlain = ({ plan }: Attempt): boolean =>
  plan.size === 1 || [...plan.values()].every((fault) => fault === 'fail');

const oneOfEachKind = (attempts: readonly Attempt[], random: Random): readonly Attempt[] => {
  const drawn = shuffled(random, attempts).filter(isPlain);
  return [...Map.groupBy(drawn, kindOf).values()].flatMap((all) => all.slice(0, 1));
};

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
