import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { FunctionOutput } from './function-output.ts';
import { lambdaContext } from './lambda-context.ts';

/** The functions that run here, by the folder they are in. */
export type FunctionName = 'receive-callback' | 'publish-changes' | 'recover-callbacks';

type Handler = (event: unknown, context: Context) => unknown;

const FunctionModule = z.object({
  handler: z.custom<Handler>((value) => typeof value === 'function', 'Expected a function'),
});

/** Calls the function with an event, and gives what it returns or throws what it throws. */
export type Invoke = (event: unknown) => Promise<unknown>;

/** The longest that any of the functions may run. */
const timeoutMilliseconds = 30_000;

/**
 * Imports a function as Lambda does at a cold start. The query in its address makes it a module of its own each time:
 * its `index.ts` reads the environment once, and a sandbox that is started again in this process has another one.
 */
export const loadFunction = async (folder: URL, name: FunctionName, output: FunctionOutput): Promise<Invoke> => {
  const address = new URL(`${name}/index.ts?run=${randomUUID()}`, folder).href;
  const { handler } = FunctionModule.parse(await output.during(name, () => import(/* @vite-ignore */ address)));

  const call = async (event: unknown): Promise<unknown> => {
    try {
      return await handler(event, lambdaContext(name, timeoutMilliseconds));
    } catch (error) {
      // Lambda, too, writes it to the function's log.
      process.stderr.write(`${inspect(error)}\n`);
      throw error;
    }
  };
  return (event) => output.during(name, () => call(event));
};
