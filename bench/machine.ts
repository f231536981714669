import { availableParallelism, cpus } from 'node:os';

/** What was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly platform: string;
}

/** This one. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || 'unknown processor',
  cores: availableParallelism(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
});
