import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import * as z from 'zod';
import { bundleFile, bundling, externalOf, projectRoot } from '../../cdk/constructs/function-code.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { type Answer, type Received, serve } from '../../sandbox/frame/serve.ts';
import { processorShare, quotaOf } from './processor-share.ts';

/** A function in one file, as it would be deployed. */
interface Bundle {
  readonly folder: string;
  readonly bytes: number;
  readonly packages: readonly string[];
  /** Every file in it, those of packages too, from the repository's root. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
}

/** The settings with which the stack bundles the function of this entry. */
export const ownSettings = (entry: string): BuildOptions => ({ ...bundling, external: externalOf(entry) });

/**
 * Those with which CDK bundles a `NodejsFunction` by default: the SDK is the runtime's.
 * https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_lambda_nodejs-readme.html
 */
export const cdkSettings: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  external: ['@aws-sdk/*', '@smithy/*'],
  logLevel: 'warning',
};

/** Where a function finds packages that are not in its bundle: on Lambda in the runtime, here in the project. */
export const runtimePackages = { NODE_PATH: join(projectRoot, 'node_modules') };

/** Bundles a module into `folder`. */
export const bundle = async (entry: string, folder: string, settings = ownSettings(entry)): Promise<Bundle> => {
  const outfile = join(folder, bundleFile);
  const own = { absWorkingDir: projectRoot, entryPoints: [entry], outfile };
  const { metafile } = await build({ ...settings, ...own, metafile: true });
  const files = filesIn(metafile);
  const sources = files.filter((file) => !file.includes('node_modules/'));
  return { folder, bytes: statSync(outfile).size, packages: packagesIn(files), files, sources };
};

/** The files in the output. esbuild also reads some that it leaves out. */
const filesIn = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );

const packagesIn = (files: readonly string[]): readonly string[] => {
  const names = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
};

interface HandlerError {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** The outcome of an invocation, and the process's consumption since its start. */
interface Reply {
  readonly result: unknown;
  readonly error: HandlerError | undefined;
  readonly cpuUs: number;
  readonly rssBytes: number;
}

const Fault = z.object({ errorType: z.string(), errorMessage: z.string() });

/**
 * Starts a local end of Lambda's Runtime API, for one process, which gets an ARN with `functionName`, and this long for an event:
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
const startRuntimeApi = async (functionName: string, timeoutMs: number) => {
  const ready = Promise.withResolvers<void>();
  // A process that ends before the wait must not cause an unhandled rejection.
  ready.promise.catch(() => undefined);
  let work = Promise.withResolvers<string>();
  let reply = Promise.withResolvers<Reply>();

  const next = async (): Promise<Answer> => {
    ready.resolve();
    const body = await work.promise;
    work = Promise.withResolvers();
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': randomUUID(),
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
        'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-west-1:000000000000:function:${functionName}`,
      },
      body,
    };
  };

  const replied = ({ path, headers, body }: Received): Answer => {
    const content = tryParseJson(body.toString());
    const consumed = { cpuUs: Number(headers['x-cpu-us']), rssBytes: Number(headers['x-rss-bytes']) };
    if (path.endsWith('/response')) reply.resolve({ result: content, error: undefined, ...consumed });
    else reply.resolve({ result: undefined, error: Fault.parse(content), ...consumed });
    return { status: 202 };
  };

  const { url, close } = await serve(async (received) => {
    const { method, path, body } = received;
    if (method === 'GET' && path.endsWith('/invocation/next')) return next();
    if (path.endsWith('/init/error')) {
      ready.reject(new Error(`The handler could not be loaded: ${body.toString()}`));
      return { status: 202 };
    }
    return replied(received);
  });

  return {
    /** Host and port, as `AWS_LAMBDA_RUNTIME_API` has them. */
    address: new URL(url).host,
    /** Resolves when the process asks for work the first time; rejects if its handler cannot be loaded. */
    ready: ready.promise,
    close,
    async invoke(event: unknown) {
      reply = Promise.withResolvers();
      work.resolve(JSON.stringify(event));
      return reply.promise;
    },
  };
};

interface LambdaSettings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For how long it may run; 30 by default. */
  readonly seconds?: number;
  /** In MB; 512 by default. */
  readonly memory?: number;
  /** From when on the process has only the share of a processor that goes with the memory; by default it has a whole core. */
  readonly shareFrom?: 'start' | 'ready';
}

export interface Invocation extends Reply {
  readonly ms: number;
}

const runtime = fileURLToPath(new URL('./runtime.mjs', import.meta.url));

const baseEnvironment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_SESSION_TOKEN: 'example',
  AWS_LAMBDA_FUNCTION_NAME: 'measured',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
};

/** Starts a process that runs a bundle as on Lambda, and waits until it asks for work. Rejects if it never does. */
export const startLambda = async (settings: LambdaSettings) => {
  const { folder, environment, memory = 512, seconds = 30, shareFrom } = settings;
  const quota = shareFrom && quotaOf(processorShare(memory));
  const api = await startRuntimeApi(baseEnvironment.AWS_LAMBDA_FUNCTION_NAME, seconds * 1_000);
  const own = {
    AWS_LAMBDA_RUNTIME_API: api.address,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    LAMBDA_TASK_ROOT: folder,
    _HANDLER: 'index.handler',
  };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [runtime], {
    env: { ...baseEnvironment, ...environment, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lend = (): void => {
    if (child.pid !== undefined) quota?.lendTo(child.pid);
  };
  if (shareFrom === 'start') lend();
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written.splice(0, Math.max(0, written.length - 20));
      written.push(text);
    });
  const ended = once(child, 'close').then(async () => {
    await api.close();
    throw new Error(`The function's process ended by itself:\n${written.join('')}`);
  });
  ended.catch(() => undefined);

  await Promise.race([api.ready, ended]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const readyMs = performance.now() - startedAt;
  if (shareFrom === 'ready') lend();

  return {
    /** From the start of the process until it first asks for work, in milliseconds. */
    readyMs,
    /** Rejects if the process ends meanwhile. */
    async invoke(event: unknown) {
      const sentAt = performance.now();
      const reply = await Promise.race([api.invoke(event), ended]);
      return { ...reply, ms: performance.now() - sentAt };
    },
    async stop() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
};

export type LambdaProcess = Awaited<ReturnType<typeof startLambda>>;
