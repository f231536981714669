import { AsyncLocalStorage } from 'node:async_hooks';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import type { Clock } from '../../lib/core/time.ts';
import { lambdaContext } from '../../sandbox/lambda/runtime.ts';

/** A run of a function: until its answer, and no longer than its time-out by the clock of the test. */
interface Run {
  readonly name: FunctionName;
  readonly endsAt: number;
  readonly onLateCall: (error: Error) => void;
  hasAnswered: boolean;
}

/** Nobody can catch this but the test runner. */
const failTest = (error: Error): void => void Promise.reject(error);

const present = new AsyncLocalStorage<Run>();

/** Runs a function, and freezes it after its answer as Lambda does. */
export const inRun = async <Answer>(
  name: FunctionName,
  clock: Clock,
  handle: (context: ReturnType<typeof lambdaContext>) => Promise<Answer>,
  onLateCall: (error: Error) => void = failTest,
): Promise<Answer> => {
  const endsAt = clock().getTime() + timeoutSeconds[name] * 1_000;
  const run: Run = { name, endsAt, onLateCall, hasAnswered: false };
  const context = {
    ...lambdaContext(name, timeoutSeconds[name] * 1_000),
    getRemainingTimeInMillis: () => Math.max(0, endsAt - clock().getTime()),
  };
  try {
    return await present.run(run, () => handle(context));
  } finally {
    run.hasAnswered = true;
  }
};

/** Whether Lambda has ended the present run, because it took too long. */
export const hasTimedOut = (clock: Clock): boolean => clock().getTime() > (present.getStore()?.endsAt ?? Infinity);

/**
 * Fails the test if the present run has answered, even where the caller ignores what it throws: what a function does not wait for
 * is frozen with it, and lost if no other run thaws it.
 */
export const refuseAfterAnswer = (what: string): void => {
  const run = present.getStore();
  if (!run?.hasAnswered) return;
  const error = new Error(`${run.name} called ${what} after its answer: Lambda freezes a function that has answered`);
  run.onLateCall(error);
  throw error;
};
