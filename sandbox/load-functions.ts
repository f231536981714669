import type { FunctionName } from '../functions/timeouts.ts';
import type { Closers } from './closers.ts';
import { applyEnvironment, type FunctionSettings, functionEnvironment } from './functions-host/function-environment.ts';
import { captureFunctionOutput, type OnFunctionOutput } from './functions-host/function-output.ts';
import { type Invoke, loadFunction } from './functions-host/load-function.ts';

/** The functions. They can be called before they are loaded: such a call waits. */
export interface Functions {
  readonly receive: Invoke;
  readonly publish: Invoke;
  readonly recover: Invoke;
  readonly poll: Invoke;
  /** Loads all with the environment that follows from the settings. */
  load(settings: FunctionSettings): Promise<void>;
}

/**
 * Prepares the functions as they are deployed. What they write is kept apart from the terminal. At the end, the
 * environment is what it was: this is added to `closers` first, as functions may read it as long as they run.
 */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers): Functions => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);

  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());

  const loaded = Promise.withResolvers<Readonly<Record<FunctionName, Invoke>>>();
  loaded.promise.catch(() => undefined);
  const call =
    (name: FunctionName): Invoke =>
    async (event) =>
      (await loaded.promise)[name](event);

  return {
    receive: call('receive-callback'),
    publish: call('publish-changes'),
    recover: call('recover-callbacks'),
    poll: call('poll-agents'),
    async load(settings) {
      restoreEnvironment = applyEnvironment(functionEnvironment(settings));
      const all = Promise.all([
        loadFunction(folder, 'receive-callback', output),
        loadFunction(folder, 'publish-changes', output),
        loadFunction(folder, 'recover-callbacks', output),
        loadFunction(folder, 'poll-agents', output),
      ]).then(([receive, publish, recover, poll]) => ({
        'receive-callback': receive,
        'publish-changes': publish,
        'recover-callbacks': recover,
        'poll-agents': poll,
      }));
      loaded.resolve(all);
      await all;
    },
  };
};
