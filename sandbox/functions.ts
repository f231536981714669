import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { VariablesOf } from '../functions/adapters/env.ts';
import type { pollAgentsEnv } from '../functions/poll-agents/environment.ts';
import type { publishChangesEnv } from '../functions/publish-changes/environment.ts';
import type { receiveCallbackEnv } from '../functions/receive-callback/environment.ts';
import { type FunctionName, timeoutSeconds } from '../functions/timeouts.ts';
import { callbackSecretHash } from '../lib/accounts/redact-secrets.ts';
import { type Closers, late, within } from './lifecycle.ts';
import { busName, localAccount, localRegion, tableNames } from './local-aws.ts';

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
export const failedItems = (answer: unknown, known: readonly string[]): readonly string[] => {
  if (answer === undefined || answer === null) return [];

  const response = BatchResponse.safeParse(answer);
  if (!response.success) return known;

  const failed = (response.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => known.includes(item)) ? failed : known;
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

export type FunctionOutput = ReturnType<typeof captureFunctionOutput>;

const textOf = (chunk: unknown): string =>
  chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);

/** The environment is restored last, as functions may read it as long as they run. */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers) => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);

  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());

  const hasEnvironment = Promise.withResolvers<void>();
  const loading: Promise<Invoke>[] = [];
  const inUse = new Map<FunctionName, Invoke>();
  return {
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

export const applyEnvironment = (values: Variables): (() => void) => {
  const apply = (entries: Variables): void => {
    for (const [name, value] of Object.entries(entries))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  apply(values);
  return () => apply(before);
};

export type Variables = Readonly<Record<string, string | undefined>>;

export interface FunctionSettings {
  readonly urls: Readonly<
    Record<'dynamodb' | 'sqs' | 'eventbridge' | 's3' | 'secretsmanager' | 'parkingQueue', string>
  >;
  readonly accountsSecretArn: string;
  readonly callbackSecret: string | undefined;
}

type CoreVariables = VariablesOf<typeof receiveCallbackEnv> &
  VariablesOf<typeof publishChangesEnv> &
  VariablesOf<typeof pollAgentsEnv>;

export type OwnVariables<Declared> = Omit<Declared, keyof CoreVariables>;

/** Settings of the user's AWS tools that would change where the functions connect to. */
const unset = {
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  // The accounts that the sandbox starts with. The functions read the secret, which can change.
  CALLFEED_ACCOUNTS: undefined,
};

/** Services that are not emulated are at the event bus, which rejects them: nothing ever reaches AWS. */
export const functionEnvironment = ({ urls, accountsSecretArn, callbackSecret }: FunctionSettings): Variables => {
  const own: CoreVariables = {
    CALLS_TABLE: tableNames.calls,
    QUARANTINE_TABLE: tableNames.quarantine,
    AGENTS_TABLE: tableNames.agents,
    PARKING_QUEUE_URL: urls.parkingQueue,
    BUS_NAME: busName,
    ACCOUNTS_SECRET_ARN: accountsSecretArn,
    CALLBACK_SECRET_SHA256: callbackSecret === undefined ? undefined : callbackSecretHash(callbackSecret),
    DEPLOYMENT: 'sandbox',
    PERSONAL_FIELDS: undefined,
  };

  return {
    ...unset,
    ...own,
    AWS_ENDPOINT_URL: urls.eventbridge,
    AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb,
    AWS_ENDPOINT_URL_SQS: urls.sqs,
    AWS_ENDPOINT_URL_EVENTBRIDGE: urls.eventbridge,
    AWS_ENDPOINT_URL_S3: urls.s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: urls.secretsmanager,
    AWS_REGION: localRegion,
    // Where it is set the SDK passes traces on, by which recursion is detected.
    AWS_LAMBDA_FUNCTION_NAME: 'sandbox',
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
};
