import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const rowOf = (row: string): readonly Process[] => {
  const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
  // A dead process of which nobody took notice runs nothing and holds nothing.
  return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
};

/** Reads what `ps` tells, a row for each process. */
const parseProcesses = (output: string): readonly Process[] => output.split('\n').flatMap(rowOf);

/** Every process that lives now. */
export const processes = (): Promise<readonly Process[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 16 * 1024 * 1024 }, (error, output) =>
      error === null ? resolve(parseProcesses(output)) : reject(error),
    );
  });

/** A process and all that descends from it. */
export const processTree = (pid: number, all: readonly Process[]): readonly Process[] =>
  all
    .filter((process) => process.pid === pid)
    .concat(all.filter(({ parent }) => parent === pid).flatMap((child) => processTree(child.pid, all)));

/** What the kernel counts in: a hundredth of a second on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The processor time in a line of /proc/PID/stat. The command stands in parentheses, and may hold any character. */
const parseCpuSeconds = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

/** The processor time that a process has had so far, in seconds; 0 where there is no /proc. */
export const cpuSeconds = (pid: number): Promise<number> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(parseCpuSeconds, () => 0);
