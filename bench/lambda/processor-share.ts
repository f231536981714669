import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The memory, in MB, that comes with one whole processor: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const megabytesOfProcessor = 1_769;

/** The share of a processor that Lambda lends to a function with this memory. */
export const processorShare = (megabytes: number): number => Math.min(1, megabytes / megabytesOfProcessor);

/**
 * A share is lent anew in each period. AWS documents none. Those who measured Lambda's found 20 ms, which also spreads the pauses
 * more evenly than the 100 ms that Linux has by default.
 */
const periodUs = 20_000;

/** Where Linux has its control groups for the processor, and the files with the limit of a group: version 1, and version 2. */
const hierarchies = [
  {
    folder: '/sys/fs/cgroup/cpu',
    limits: (quotaUs: number) => ({ 'cpu.cfs_period_us': periodUs, 'cpu.cfs_quota_us': quotaUs }),
  },
  { folder: '/sys/fs/cgroup', limits: (quotaUs: number) => ({ 'cpu.max': `${quotaUs} ${periodUs}` }) },
];

export interface ProcessorQuota {
  /** From then on the process and what it starts has only the share. */
  lendTo(pid: number): void;
}

const quotas = new Map<number, ProcessorQuota>();

/**
 * A group of processes that together get a share of one processor. Undefined where this machine has no control groups, or lets only
 * others make them. The group is removed when this process ends.
 */
export const quotaOf = (share: number): ProcessorQuota | undefined => {
  const group = quotas.get(share);
  if (group !== undefined) return group;
  for (const { folder, limits } of hierarchies) {
    const group = join(folder, `callfeed-bench-${process.pid}-${share.toFixed(3)}`);
    const files = Object.entries(limits(Math.round(share * periodUs)));
    try {
      mkdirSync(group);
      process.once('exit', () => rmdirSync(group));
      if (!files.every(([file]) => existsSync(join(group, file)))) continue;
      for (const [file, value] of files) writeFileSync(join(group, file), String(value));
    } catch {
      continue;
    }
    const quota = { lendTo: (pid: number) => writeFileSync(join(group, 'cgroup.procs'), String(pid)) };
    quotas.set(share, quota);
    return quota;
  }
  return undefined;
};

/** Whether this machine can lend shares; where it cannot, every function has a whole core. */
export const lendsShares = (): boolean => quotaOf(1) !== undefined;
