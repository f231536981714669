import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Reply, startRuntimeApi } from './runtime-api.ts';

/** A bundle, and the environment that its function is given. */
export interface LambdaSettings {
  /** The folder with the one file that exports `handler`. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Told what the function writes; where nobody asks, it goes nowhere. */
  readonly onOutput?: (text: string) => void;
}

/** What came of an invocation, and how long it took from here, in milliseconds. */
export interface Invocation extends Reply {
  readonly ms: number;
}

/** A function in a process of its own, as on Lambda. */
export interface LambdaProcess {
  /** From the start of the process until it first asks for work, in milliseconds. */
  readonly readyMs: number;
  /** Rejects if the process ends on the way. */
  invoke(event: unknown): Promise<Invocation>;
  /** Ends the process as a crash would. */
  stop(): Promise<void>;
}

const runtime = fileURLToPath(new URL('./runtime.mjs', import.meta.url));

/** What every function finds in its environment, whatever it is. */
const usual = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_SESSION_TOKEN: 'example',
  AWS_LAMBDA_FUNCTION_NAME: 'measured',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
};

/** Starts a process that runs a bundle as on Lambda, and waits until it asks for work. Rejects if it never does. */
export const startLambda = async ({ folder, environment, onOutput }: LambdaSettings): Promise<LambdaProcess> => {
  const api = await startRuntimeApi(usual.AWS_LAMBDA_FUNCTION_NAME);
  const own = { AWS_LAMBDA_RUNTIME_API: api.address, LAMBDA_TASK_ROOT: folder, _HANDLER: 'index.handler' };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [runtime], {
    env: { ...usual, ...environment, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written.splice(0, Math.max(0, written.length - 20));
      written.push(text);
      onOutput?.(text);
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

  return {
    readyMs,
    async invoke(event) {
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
