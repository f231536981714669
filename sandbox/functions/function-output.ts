import { AsyncLocalStorage } from 'node:async_hooks';

export type OnFunctionOutput = (functionName: string, text: string) => void;

/** Functions log to standard output, which is the user's terminal. Their output goes to `onOutput` instead. */
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
