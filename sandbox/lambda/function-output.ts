import { AsyncLocalStorage } from 'node:async_hooks';

/** Called with each text that a function writes to standard output or standard error. */
export type OnFunctionOutput = (functionName: string, text: string) => void;

/** Separates the output of the functions from that of the sandbox. */
export interface FunctionOutput {
  /** Runs a function. All that it writes, now or later, goes to `onOutput`. */
  during<Result>(functionName: string, run: () => Result): Result;
  release(): void;
}

/**
 * Functions log JSON lines to standard output, as Lambda expects. In the sandbox that is the user's terminal.
 * So `write` of both streams is replaced: output of a function goes to `onOutput`, all other output is unchanged.
 */
export const captureFunctionOutput = (onOutput: OnFunctionOutput): FunctionOutput => {
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
    during: (functionName, run) => running.run(functionName, run),
    release() {
      for (const release of releases) release();
    },
  };
};

const textOf = (chunk: unknown): string =>
  chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
