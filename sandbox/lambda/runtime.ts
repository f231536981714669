import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import { late, within } from '../clock.ts';
import type { Closers } from '../closers.ts';
import { localAccount, localRegion } from '../local-aws.ts';
import type { Variables } from './function-environment.ts';

export type Invoke = (event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: Context) => unknown;

const FunctionModule = z.object({
  handler: z.custom<Handler>((value) => typeof value === 'function', 'Expected a function'),
});

/**
 * Imports a function as Lambda does at a cold start. The query in the address makes each import a module of its own.
 * This is needed because `index.ts` reads the environment once, and each sandbox in a process has another environment.
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

/**
 * The items that a function reports as failed, by Lambda's rules. No answer or an empty list means that all
 * succeeded. A list with an unknown item, or an answer of another shape, means that all failed.
 */
export const failedItems = (answer: unknown, known: readonly string[]): readonly string[] => {
  if (answer === undefined || answer === null) return [];

  const response = BatchResponse.safeParse(answer);
  if (!response.success) return known;

  const failed = (response.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => known.includes(item)) ? failed : known;
};

export type OnFunctionOutput = (functionName: string, text: string) => void;

/**
 * Functions log JSON lines to standard output, as Lambda expects. In the sandbox that is the user's terminal.
 * So `write` of both streams is replaced: output of a function goes to `onOutput`, all other output is unchanged.
 */
export const captureFunctionOutput = (onOutput: OnFunctionOutput) => {
  const running = new AsyncLocalStorage<string>();

  const capture = (stream: NodeJS.WriteStream): (() => void) => {
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
    return () => {
      stream.write = original;
    };
  };
  const releases = [capture(process.stdout), capture(process.stderr)];

  return {
    /** Runs a function. All that it writes, now or later, goes to `onOutput`. */
    during: <Result>(functionName: string, run: () => Result): Result => running.run(functionName, run),
    release() {
      for (const release of releases) release();
    },
  };
};

export type FunctionOutput = ReturnType<typeof captureFunctionOutput>;

const textOf = (chunk: unknown): string =>
  chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);

/**
 * Prepares the deployed functions. Their output goes to `onOutput`. At the end the environment is restored; this is
 * added to `closers` first, as functions may read the environment as long as they run.
 */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers) => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);

  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());

  const hasEnvironment = Promise.withResolvers<void>();
  const loading: Promise<Invoke>[] = [];
  const inUse = new Map<FunctionName, Invoke>();
  return {
    /** A function. A call before all are loaded waits until then. */
    use(name: FunctionName): Invoke {
      const used = inUse.get(name);
      if (used !== undefined) return used;
      const loaded = hasEnvironment.promise.then(() => loadFunction(folder, name, output));
      loaded.catch(() => undefined);
      loading.push(loaded);
      const invoke: Invoke = async (event) => (await loaded)(event);
      inUse.set(name, invoke);
      return invoke;
    },
    async load(environment: Variables) {
      restoreEnvironment = applyEnvironment(environment);
      hasEnvironment.resolve();
      await Promise.all(loading);
    },
  };
};

export type Functions = ReturnType<typeof prepareFunctions>;

/** Sets variables of this process's environment. The returned function restores the previous values. */
export const applyEnvironment = (values: Variables): (() => void) => {
  const apply = (entries: Variables): void => {
    for (const [name, value] of Object.entries(entries)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  apply(values);
  return () => apply(before);
};
