import { setTimeout as pause } from 'node:timers/promises';

const lookMilliseconds = 25;

/** Waits until something is so; says in its error what was waited for if it is not so in time. */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMilliseconds: number,
): Promise<void> => {
  const deadline = Date.now() + patienceMilliseconds;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMilliseconds / 1000} s in vain: ${what}.`);
    await pause(lookMilliseconds);
  }
};
