/** Runs at most `width` tasks at a time; the others wait in the order in which they came. */
export const createLanes = (width: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= width) await new Promise<void>((go) => waiting.push(go));
    else running += 1;

    try {
      return await task();
    } finally {
      // The lane is handed on, not given back, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
