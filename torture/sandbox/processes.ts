import { execFile } from 'node:child_process';

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
export const processesIn = (output: string): readonly Process[] => output.split('\n').flatMap(rowOf);

/** Every process that lives now. */
export const processes = (): Promise<readonly Process[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 16 * 1024 * 1024 }, (error, output) =>
      error === null ? resolve(processesIn(output)) : reject(error),
    );
  });

/** A process and all that descends from it. */
export const treeOf = (pid: number, all: readonly Process[]): readonly Process[] =>
  all
    .filter((process) => process.pid === pid)
    .concat(all.filter(({ parent }) => parent === pid).flatMap((child) => treeOf(child.pid, all)));
