import { readFile } from 'node:fs/promises';

/** What the kernel counts in: a hundredth of a second on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The processor time in a line of /proc/PID/stat. The command stands in parentheses, and may hold any character. */
export const cpuSecondsIn = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

/** The processor time that a process has had so far, in seconds; 0 where there is no /proc. */
export const cpuSeconds = (pid: number): Promise<number> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(cpuSecondsIn, () => 0);
