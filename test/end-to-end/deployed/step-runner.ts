/** Called with what a step is doing. It is printed if the step takes long. */
export type OnProgress = (activity: string) => void;

/** Runs one step, and prints one line about it at its end. */
export type Step = <Value>(title: string, act: (onProgress: OnProgress) => Promise<Value>) => Promise<Value>;

/** How steps print, and the clock, in milliseconds, by which they are timed. */
export interface StepsOptions {
  readonly print: (line: string) => void;
  readonly now: () => number;
  /** After its abort no step begins and none prints. */
  readonly stopped: AbortSignal;
  /** A step prints its activity after this many milliseconds, then after intervals that double. */
  readonly reminderMs?: number;
}

export const createSteps = ({ print, now, stopped, reminderMs = 2_000 }: StepsOptions): Step => {
  let number = 0;
  const printLine = (line: string): void => {
    if (!stopped.aborted) print(line);
  };

  return async (title, act) => {
    stopped.throwIfAborted();
    number += 1;
    const label = `${String(number).padStart(2)}  ${title}`;
    const startedAt = now();
    const elapsed = (): string => `${((now() - startedAt) / 1000).toFixed(1)} s`;
    let activity = '';
    let reminder: NodeJS.Timeout | undefined;
    const remindAfter = (milliseconds: number): void => {
      reminder = setTimeout(() => {
        printLine(`    ${title} ... ${elapsed()}${activity && `: ${activity}`}`);
        remindAfter(2 * milliseconds);
      }, milliseconds);
    };
    remindAfter(reminderMs);
    try {
      const value = await act((text) => {
        activity = text;
      });
      printLine(`${label} (${elapsed()})`);
      return value;
    } catch (error) {
      printLine(`${label} FAILED (${elapsed()})`);
      throw error;
    } finally {
      clearTimeout(reminder);
    }
  };
};
