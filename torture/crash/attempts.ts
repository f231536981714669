import { type Random, shuffled } from '../../sandbox/simulator/random.ts';
import type { Ending } from './ending.ts';
import { drawnPlan, everyPlan, type Plan } from './plan.ts';
import type { Scenario } from './scenario.ts';

/** A scenario, its undisturbed ending, and what is to go wrong. */
export interface Attempt {
  readonly scenario: Scenario;
  readonly undisturbed: Ending;
  readonly plan: Plan;
}

/** A scenario and how it ends when nothing goes wrong. */
export type Known = Omit<Attempt, 'plan'>;

/** Every fault at every call of these scenarios. */
export const everyAttempt = (known: readonly Known[]): readonly Attempt[] =>
  known.flatMap(({ scenario, undisturbed }) =>
    everyPlan(undisturbed.calls).map((plan) => ({ scenario, undisturbed, plan })),
  );

/** So many with several faults, over all scenarios by turns. */
export const drawnAttempts = (known: readonly Known[], random: Random, count: number): readonly Attempt[] =>
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
