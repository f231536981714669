import type { FunctionName } from '../../functions/limits.ts';
import type { Closers } from '../frame/lifecycle.ts';
import { applyEnvironment, type Variables } from './function-environment.ts';
import { captureFunctionOutput, type OnFunctionOutput } from './function-output.ts';
import { type Invoke, loadFunction } from './load-function.ts';

export type Functions = ReturnType<typeof prepareFunctions>;

/**
 * Functions can be named before their environment is known; they load once it is. It is restored last: a function that still runs
 * may read it.
 */
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
