import { execFile } from 'node:child_process';

/** The ids of a process's children, as `ps` tells them. */
export const childrenOf = (pid: number | undefined): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid='], (error, output) => {
      if (error !== null) return reject(error);

      const rows = output
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number));
      return resolve(rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : [])));
    });
  });
