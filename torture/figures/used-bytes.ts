import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage; V8 has it only where it was asked for. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 does not let its garbage be collected');
  return () => collect();
};

/** How many bytes are in use after all garbage has gone, buffers included. */
export const usedBytes = async (): Promise<number> => {
  const collect = collector();
  // What was let go of by a promise is garbage only a turn later.
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
