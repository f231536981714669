import * as z from 'zod';
import type { LambdaProcess } from '../lambda/lambda-process.ts';

const Done = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ batchItemFailures: z.array(z.unknown()).max(0) }),
]);

/** Throws if the invocation fails. */
export const invoke = async (process: LambdaProcess, name: string, event: unknown) => {
  const reply = await process.invoke(event);
  if (reply.error !== undefined || !Done.safeParse(reply.result).success)
    throw new Error(`${name} failed: ${JSON.stringify(reply.error ?? reply.result)}`);
  return reply;
};

/** How long a run took, and how long of that it had a processor. */
export interface TimedRun {
  readonly ms: number;
  readonly processorMs: number;
}

/** Runs of a process that has used `cpuUs` so far, one after the other. */
export const timedRuns = async (
  process: LambdaProcess,
  name: string,
  { cpuUs, runs, nextEvent }: { readonly cpuUs: number; readonly runs: number; nextEvent(run: number): unknown },
): Promise<readonly TimedRun[]> => {
  const timed: TimedRun[] = [];
  let before = cpuUs;
  for (let run = 1; run <= runs; run += 1) {
    const reply = await invoke(process, name, await nextEvent(run));
    timed.push({ ms: reply.ms, processorMs: (reply.cpuUs - before) / 1_000 });
    before = reply.cpuUs;
  }
  return timed;
};
