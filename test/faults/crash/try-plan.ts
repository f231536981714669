import { type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { check } from './check.ts';
import { drawnPlan, everyPlan, type Plan, planText } from './processes.ts';
import { type FinalState, runScenario, type TestBed } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

export interface PlanResult {
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
    `${scenario.name} with ${faults}: ${problem.slice(0, 1_500)} — to reproduce it: node test/faults/crash/replay.ts ${scenario.name} ${faults}`;
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

export interface AttemptResult {
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
export const untilInjected = async (
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
export const mapConcurrently = async <In, Out>(
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

export type Baseline = Omit<Attempt, 'plan'>;

export const everyAttempt = (known: readonly Baseline[]): readonly Attempt[] =>
  known.flatMap(({ scenario, baseline }) => everyPlan(baseline.calls).map((plan) => ({ scenario, baseline, plan })));

/** So many attempts with several random faults, spread over all scenarios. */
export const drawnAttempts = (known: readonly Baseline[], random: Random, count: number): readonly Attempt[] =>
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

export const oneOfEachKind = (attempts: readonly Attempt[], random: Random): readonly Attempt[] => {
  const drawn = shuffled(random, attempts).filter(isPlain);
  return [...Map.groupBy(drawn, kindOf).values()].flatMap((all) => all.slice(0, 1));
};
