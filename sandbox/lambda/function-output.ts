import { AsyncLocalStorage } from 'node:async_hooks';

/** Told of each piece of text that a function writes to its standard output or error. */
export type OnFunctionOutput = (functionName: string, text: string) => void;

/** Keeps what functions write apart from what the sandbox itself writes. */
export interface FunctionOutput {
  /** Runs a function; whatever it writes, then or later, goes to `onOutput`. */
  during<Result>(functionName: string, run: () => Result): Result;
  release(): void;
}

const textOf = (chunk: unknown): string =>
  chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);

/**
 * Functions log lines of JSON to the process's standard output, as Lambda wants it; here that is the user's terminal.
 * So `write` of both streams is replaced: text from within a function goes to `onOutput`, all other passes as before.
 */
export const captureFunctionOutput = (onOutput: OnFunctionOutput): FunctionOutput => {
  const running = new AsyncLocalStorage<string>();

  const capture = (stream: NodeJS.WriteStream): (() => void) => {
    const original = stream.write;
    const capturing: typeof stream.write = (chunk, encodingOrDone, done?: (error?: Error | null) => void) => {
      const name = running.getStore();
      if (name === undefined) return Reflect.apply(original, stream, [chunk, encodingOrDone, done]);

      // Outside of the function, as what `onOutput` may print itself is not the function's.
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
