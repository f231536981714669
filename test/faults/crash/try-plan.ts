import { type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { check } from './check.ts';
import { drawnPlan, everyPlan, type Plan, planText } from './processes.ts';
import { type FinalState, runScenario, type TestBed } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

/** What came of a plan. */
export interface PlanResult {
  readonly ending: FinalState | undefined;
  /** What is broken, each with how to see it again. */
  readonly failures: readonly string[];
}

/** Plays a scenario with faults, and compares it with the undisturbed ending; without one it is that itself. */
export const tryPlan = async (
  stage: TestBed,
  scenario: Scenario,
  plan: Plan,
  undisturbed?: FinalState,
): Promise<PlanResult> => {
  const faults = plan.size === 0 ? 'none' : planText(plan);
  const described = (problem: string): string =>
    `${scenario.name} with ${faults}: ${problem.slice(0, 1_500)} — to see it: node test/faults/crash/replay.ts ${scenario.name} ${faults}`;
  try {
    const ending = await runScenario(stage, scenario, plan);
    const problems = await check(scenario, ending, undisturbed ?? ending);
    return { ending, failures: problems.map(described) };
  } catch (error) {
    return {
      ending: undefined,
      failures: [described(error instanceof Error ? (error.stack ?? error.message) : String(error))],
    };
  }
};

/** What came of an attempt. */
export interface AttemptResult {
  readonly failures: readonly string[];
  /** How many of the planned faults met a call. */
  readonly struck: number;
}

/** A story that lacks a call so often was learnt wrongly. */
const mostTries = 5;

/**
 * Makes an attempt until its fault meets a call. The stream hands out what it has so far, so a story can have a publisher's
 * call more or less from one time to the next, on a busy machine above all; and of single faults none is to be left out.
 */
export const untilInjected = async (
  attempt: Attempt,
  make: (attempt: Attempt) => Promise<AttemptResult>,
): Promise<AttemptResult> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const outcome = await make(attempt);
    if (outcome.failures.length > 0 || outcome.struck > 0) return outcome;
  }
  const { scenario, plan } = attempt;
  return { failures: [`${scenario.name} with ${planText(plan)}: met no call in ${mostTries} runs`], struck: 0 };
};

/** Does something with every item, so many at a time, and answers the results in the items' order. */
export const mapConcurrently = async <In, Out>(
  lanes: number,
  items: readonly In[],
  act: (item: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results: Out[] = new Array(items.length);
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
};

/** A scenario, its undisturbed ending, and what is to go wrong. */
export interface Attempt {
  readonly scenario: Scenario;
  readonly undisturbed: FinalState;
  readonly plan: Plan;
}

/** A scenario and how it ends when nothing goes wrong. */
export type Baseline = Omit<Attempt, 'plan'>;

/** Every fault at every call of these scenarios. */
export const everyAttempt = (known: readonly Baseline[]): readonly Attempt[] =>
  known.flatMap(({ scenario, undisturbed }) =>
    everyPlan(undisturbed.calls).map((plan) => ({ scenario, undisturbed, plan })),
  );

/** So many with several faults, over all scenarios by turns. */
export const drawnAttempts = (known: readonly Baseline[], random: Random, count: number): readonly Attempt[] =>
  known.flatMap(({ scenario, undisturbed }) =>
    Array.from({ length: Math.ceil(count / known.length) }, () => ({
      ...{ scenario, undisturbed },
      plan: drawnPlan(random, undisturbed.calls.length),
    })),
  );

/** What an attempt is an example of: which function meets what of which service. */
const kindOf = ({ undisturbed, plan }: Attempt): string => {
  const [first = 0] = plan.keys();
  return [undisturbed.calls[first]?.split(' ').slice(0, 2), ...plan.values()].join(' ');
};

/** A single fault, or a call whose second try fails as well. */
const isPlain = ({ plan }: Attempt): boolean => plan.size === 1 || [...plan.values()].every((fate) => fate === 'fail');

/** One of each kind, drawn. */
export const oneOfEachKind = (attempts: readonly Attempt[], random: Random): readonly Attempt[] => {
  const drawn = shuffled(random, attempts).filter(isPlain);
  return [...Map.groupBy(drawn, kindOf).values()].flatMap((all) => all.slice(0, 1));
};
