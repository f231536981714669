/** How long something takes by its size. */
export interface Growth {
  readonly name: string;
  readonly bytes: readonly number[];
  readonly cpuMs: readonly number[];
  /** The power of the size with which the time grows: 1 if it is in proportion. */
  readonly exponent: number;
}

/** The clock of CPU time has ticks of four milliseconds on some machines. */
const leastMs = 40;
const mostRuns = 40;
const repeats = 3;
const longMs = 8_000;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

/** The CPU time of a run, from as many as it takes to tell. */
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  let runs = 0;
  do {
    await run();
    runs += 1;
  } while (cpuMs(before) < leastMs && runs < mostRuns);
  return cpuMs(before) / runs;
};

/** The least of several: whatever else the machine does can only make it longer. */
const bestOf = async (run: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < repeats; time++) times.push(await timeOf(run));
  return Math.min(...times);
};

/** The slope of the line through the logarithms, by least squares. */
export const exponentOf = (sizes: readonly number[], times: readonly number[]): number => {
  const points = sizes.map((size, index) => [Math.log(size), Math.log(Math.max(times[index] ?? 0, 1e-3))] as const);
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return above / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
};

/** Measures something at several sizes; `prepare` gives what is to be run, and how large it is. */
export const growthOf = async (
  name: string,
  counts: readonly number[],
  prepare: (count: number) => { readonly bytes: number; readonly run: () => Promise<unknown> },
): Promise<Growth> => {
  const bytes: number[] = [];
  const times: number[] = [];
  for (const count of counts) {
    const prepared = prepare(count);
    const before = process.threadCpuUsage();
    await prepared.run();
    const isLong = cpuMs(before) > longMs;
    bytes.push(prepared.bytes);
    times.push(isLong ? cpuMs(before) : await bestOf(prepared.run));
    // Of what grows so, the next sizes would take minutes, and tell nothing new.
    if (isLong && times.length > 1) break;
  }
  return { name, bytes, cpuMs: times, exponent: exponentOf(bytes, times) };
};
