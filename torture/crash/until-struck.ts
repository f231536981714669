import type { Attempt } from './attempts.ts';
import { planText } from './plan.ts';

/** What came of an attempt. */
export interface Outcome {
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
export const untilStruck = async (attempt: Attempt, make: (attempt: Attempt) => Promise<Outcome>): Promise<Outcome> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const outcome = await make(attempt);
    if (outcome.failures.length > 0 || outcome.struck > 0) return outcome;
  }
  const { scenario, plan } = attempt;
  return { failures: [`${scenario.name} with ${planText(plan)}: met no call in ${mostTries} runs`], struck: 0 };
};
