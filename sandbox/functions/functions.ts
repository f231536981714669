import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type FunctionName, timeoutSeconds } from '../../functions/limits.ts';
import { type Closers, late, within } from '../frame/lifecycle.ts';
import { localAccount, localRegion } from '../frame/local-aws.ts';
import { applyEnvironment, type Variables } from './function-environment.ts';

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

export const lambdaContext = (functionName: string, timeoutMilliseconds: number, startedAt = Date.now()): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${localRegion}:${localAccount}:function:${functionName}`,
  memoryLimitInMB: '512',
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

export type OnFunctionOutput = (functionName: string, text: string) => void;

/** Functions log to standard output, which is the user's terminal: what they write goes to `onOutput` instead. */
export const captureFunctionOutput = (onOutput: OnFunctionOutput) => {
  const running = new AsyncLocalStorage<string>();

  const capture = (stream: NodeJS.WriteStream) => {
    const original = stream.write;
    const capturing: typeof stream.write = (chunk, encodingOrDone, done?: (error?: Error | null) => void) => {
      const name = running.getStore();
      if (name === undefined) return Reflect.apply(original, stream, [chunk, encodingOrDone, done]);

      // `onOutput` runs outside of the function's context, as its own output is not the function's.
      running.exit(() => onOutput(name, textOf(chunk)));
      const written = typeof encodingOrDone === 'function' ? encodingOrDone : done;
      if (written !== undefined) process.nextTick(written);
      return true;
    };
    stream.write = capturing;
    return () => Object.assign(stream, { write: original });
  };
  const releases = [capture(process.stdout), capture(process.stderr)];

  return {
    during: <Result>(functionName: string, run: () => Result): Result => running.run(functionName, run),
    release() {
      for (const release of releases) release();
    },
  };
};

type FunctionOutput = ReturnType<typeof captureFunctionOutput>;

const textOf = (chunk: unknown): string =>
  chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);

export type Functions = ReturnType<typeof prepareFunctions>;

/** The functions in use, which wait for their environment. It is restored last, as they may read it as long as they run. */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers) => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);
  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());
  const hasEnvironment = Promise.withResolvers<void>();
  const inUse = new Map<FunctionName, Promise<Invoke>>();

  return {
    use(name: FunctionName): Invoke {
      const loaded = inUse.get(name) ?? hasEnvironment.promise.then(() => loadFunction(folder, name, output));
      inUse.set(name, loaded);
      return async (event) => (await loaded)(event);
    },
    async load(environment: Variables) {
      restoreEnvironment = applyEnvironment(environment);
      hasEnvironment.resolve();
      await Promise.all(inUse.values());
    },
  };
};
