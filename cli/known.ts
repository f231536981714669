import { problemOf } from './problem.ts';

/** What was read or, where its part of the deployment failed, why it is not known. */
export type Known<Value> = { readonly value: Value } | { readonly unknown: string };

/** Waits for something that is read by itself: others are worth telling without it. A wrong command line is no such failure. */
export const known = async <Value>(reading: Promise<Value>): Promise<Known<Value>> => {
  try {
    return { value: await reading };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.exitCode === 2) throw problem;
    return { unknown: problem.message };
  }
};

/** The value, if it is known. */
export const knownValue = <Value>(read: Known<Value>): Value | undefined => ('value' in read ? read.value : undefined);
