import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type FunctionName, memoryMegabytes, timeoutSeconds } from '../../functions/limits.ts';
import { late, within } from '../frame/lifecycle.ts';
import { localAccount, localRegion } from '../frame/local-aws.ts';
import type { FunctionOutput } from './function-output.ts';

export type Invoke = (event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: Context) => unknown;

const FunctionModule = z.object({
  handler: z.custom<Handler>((value) => typeof value === 'function', 'Expected a function'),
});

/** Each import is a module of its own: `index.ts` reads the environment once, and each sandbox has another. */
export const loadFunction = async (
  folder: URL,
  name: FunctionName,
  output: FunctionOutput,
  timeoutMilliseconds: number = timeoutSeconds[name] * 1_000,
): Promise<Invoke> => {
  const address = new URL(`${name}/index.ts?run=${randomUUID()}`, folder).href;
  const { handler } = FunctionModule.parse(await output.during(name, () => import(/* @vite-ignore */ address)));

  const call = async (event: unknown): Promise<unknown> => {
    try {
      const answer = await within(timeoutMilliseconds, handler(event, lambdaContext(name, timeoutMilliseconds)));
      // Lambda ends a function that runs too long. Here it goes on, and its result is ignored.
      if (answer === late) throw new Error(`Task timed out after ${timeoutMilliseconds / 1_000} seconds`);
      return answer;
    } catch (error) {
      // Lambda also writes the error to the function's log.
      process.stderr.write(`${inspect(error)}\n`);
      throw error;
    }
  };
  return (event) => output.during(name, () => call(event));
};

export const lambdaContext = (
  functionName: FunctionName,
  timeoutMilliseconds: number,
  startedAt = Date.now(),
): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${localRegion}:${localAccount}:function:${functionName}`,
  memoryLimitInMB: String(memoryMegabytes[functionName]),
  awsRequestId: randomUUID(),
  logGroupName: `/aws/lambda/${functionName}`,
  logStreamName: 'sandbox',
  getRemainingTimeInMillis: () => Math.max(0, startedAt + timeoutMilliseconds - Date.now()),
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});

const BatchResponse = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() });

/** By Lambda's rules no answer means that all succeeded, and an unknown item or another shape that all failed. */
export const failedItems = (answer: unknown, delivered: readonly string[]): readonly string[] => {
  if (answer === undefined || answer === null) return [];

  const response = BatchResponse.safeParse(answer);
  if (!response.success) return delivered;

  const failed = (response.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => delivered.includes(item)) ? failed : delivered;
};
