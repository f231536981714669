import { check } from './check/check.ts';
import type { Ending } from './ending.ts';
import { type Plan, planText } from './plan.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { tell } from './tell.ts';

/** What came of a plan. */
export interface Tried {
  readonly ending: Ending | undefined;
  /** What is broken, each with how to see it again. */
  readonly failures: readonly string[];
}

/** Plays a scenario with faults, and compares it with the undisturbed ending; without one it is that itself. */
export const tryPlan = async (stage: Stage, scenario: Scenario, plan: Plan, undisturbed?: Ending): Promise<Tried> => {
  const faults = plan.size === 0 ? 'none' : planText(plan);
  const described = (problem: string): string =>
    `${scenario.name} with ${faults}: ${problem.slice(0, 1_500)} — to see it: node torture/crash/replay.ts ${scenario.name} ${faults}`;
  try {
    const ending = await tell(stage, scenario, plan);
    const problems = await check(scenario, ending, undisturbed ?? ending);
    return { ending, failures: problems.map(described) };
  } catch (error) {
    return {
      ending: undefined,
      failures: [described(error instanceof Error ? (error.stack ?? error.message) : String(error))],
    };
  }
};
