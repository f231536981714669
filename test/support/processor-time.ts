/** In milliseconds of the processor, by this thread: other processes do not count. The clock has ticks of 4 ms. */
export const processorTimeOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/**
 * Whether work on a text takes less than to parse JSON of that length so many times. What takes longer is measured again, as the
 * code is not compiled yet the first time.
 */
export const takesLessThanParsing = (times: number, text: string, work: (text: string) => unknown): boolean => {
  const json = JSON.stringify('x'.repeat(text.length));
  const parse = () => {
    for (let time = 0; time < times; time += 1) JSON.parse(json);
  };
  return [1, 2, 3, 4].some(() => processorTimeOf(() => work(text)) < processorTimeOf(parse));
};
