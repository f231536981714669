import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import type { FunctionOutput } from './function-output.ts';
import { lambdaContext } from './lambda-context.ts';

type Handler = (event: unknown, context: Context) => unknown;

const FunctionModule = z.object({
  handler: z.custom<Handler>((value) => typeof value === 'function', 'Expected a function'),
});

/** Calls the function with an event, and gives what it returns or throws what it throws. */
export type Invoke = (event: unknown) => Promise<unknown>;

/** Lambda ends a function that runs too long; here its answer is left unread, and its caller told the same. */
const inTime = async (answer: unknown, milliseconds: number): Promise<unknown> => {
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timedOut.reject(new Error(`Task timed out after ${milliseconds / 1_000} seconds`)),
    milliseconds,
  );
  return await Promise.race([answer, timedOut.promise]).finally(() => clearTimeout(timer));
};

/**
 * Imports a function as Lambda does at a cold start. The query in its address makes it a module of its own each time:
 * its `index.ts` reads the environment once, and a sandbox that is started again in this process has another one.
 */
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
      return await inTime(handler(event, lambdaContext(name, timeoutMilliseconds)), timeoutMilliseconds);
    } catch (error) {
      // Lambda, too, writes it to the function's log.
      process.stderr.write(`${inspect(error)}\n`);
      throw error;
    }
  };
  return (event) => output.during(name, () => call(event));
};
