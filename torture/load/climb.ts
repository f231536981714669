import type { Step } from './step.ts';

/** What counts as slow: the service that posts would wait, and subscribers would be behind. */
const slowMilliseconds = 1_000;
const farBehindMilliseconds = 5_000;

/** A machine that does something else for a moment is not the limit. */
const tries = 2;

/** Whether a rate can go on for ever: taken in as fast as it came, answered and told soon. */
export const isSustained = ({ rate, achieved, p99, lag }: Step): boolean =>
  achieved >= 0.9 * rate && p99 <= slowMilliseconds && lag <= farBehindMilliseconds;

/** Raises the rate until it is not sustained, and not at a second try either. The steps, the last try of each. */
export const climb = async (
  rates: readonly number[],
  step: (rate: number) => Promise<Step>,
): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  for (const rate of rates) {
    let taken = await step(rate);
    for (let tried = 1; tried < tries && !isSustained(taken); tried++) taken = await step(rate);
    steps.push(taken);
    if (!isSustained(taken)) break;
  }
  return steps;
};

/** The highest rate that was sustained; 0 if none was. */
export const sustainedRate = (steps: readonly Step[]): number => steps.filter(isSustained).at(-1)?.rate ?? 0;
