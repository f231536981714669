import type { Gauge } from './gauge.ts';

/** Shorter work is done again until it adds up to as much. */
const enoughUs = 60_000;
const mostTimes = 60;

/**
 * How long the processor works on a piece of work, in milliseconds. Only the thread that runs the function counts: not the
 * tables, nor what else the machine does meanwhile. Garbage is collected in that thread if Node is told so.
 */
export const cpuGauge: Gauge = {
  onWait: () => undefined,
  async measure({ prepare, run }) {
    let usedUs = 0;
    let times = 0;
    while (times === 0 || (usedUs < enoughUs && times < mostTimes)) {
      await prepare();
      const before = process.threadCpuUsage();
      await run();
      const { user, system } = process.threadCpuUsage(before);
      usedUs += user + system;
      times += 1;
    }
    return usedUs / times / 1_000;
  },
};
