/** Says what a step is doing, for whoever watches it for more than two seconds. */
export type OnProgress = (doing: string) => void;

/** Does one thing, and prints one line about it when it is done. */
export type Step = <Value>(title: string, act: (tell: OnProgress) => Promise<Value>) => Promise<Value>;

/** Where steps print to, and by which clock, in milliseconds, they are timed. */
export interface StepsOptions {
  readonly print: (line: string) => void;
  readonly now: () => number;
  /** Once it is aborted no step begins any more, and none prints. */
  readonly stopped: AbortSignal;
  /** After this many milliseconds, and whenever twice as many have passed, a step says what it is doing. */
  readonly patience?: number;
}

/** Numbers the steps, times them, and tells of those that take long. */
export const createSteps = ({ print, now, stopped, patience = 2_000 }: StepsOptions): Step => {
  let number = 0;
  const say = (line: string): void => {
    if (!stopped.aborted) print(line);
  };

  return async (title, act) => {
    stopped.throwIfAborted();
    number += 1;
    const label = `${String(number).padStart(2)}  ${title}`;
    const startedAt = now();
    const taken = (): string => `${((now() - startedAt) / 1000).toFixed(1)} s`;
    let doing = '';
    let reminder: NodeJS.Timeout | undefined;
    const remindAfter = (milliseconds: number): void => {
      reminder = setTimeout(() => {
        say(`    ${title} ... ${taken()}${doing && `: ${doing}`}`);
        remindAfter(2 * milliseconds);
      }, milliseconds);
    };
    remindAfter(patience);
    try {
      const value = await act((text) => {
        doing = text;
      });
      say(`${label} (${taken()})`);
      return value;
    } catch (error) {
      say(`${label} FAILED (${taken()})`);
      throw error;
    } finally {
      clearTimeout(reminder);
    }
  };
};
