import type { RunContext } from './context.ts';
import { type DeadLetter, type DeadLetterQueue, deadLetters, release, returnToQueue } from './dead-letters.ts';
import { Problem } from './problem.ts';

/** The dead letters, which others can receive again afterwards. */
export const listLetters = async (
  { terminal }: Pick<RunContext, 'terminal'>,
  queue: DeadLetterQueue,
  limit: number,
): Promise<readonly DeadLetter[]> => {
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(queue, limit)) {
      letters.push(letter);
      terminal.progress(`${letters.length} read`);
    }
  } finally {
    await release(queue, letters);
  }
  return letters;
};

/** Where dead letters go, how it is called, how many at most, and whether they are only counted. */
interface Redrive {
  readonly to: string;
  readonly named: string;
  readonly limit: number;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Moves dead letters back to their queue, and prints how many. Throws if the user stops it before the end. */
export const redriveLetters = async (
  { terminal, interruption }: Pick<RunContext, 'terminal' | 'interruption'>,
  queue: DeadLetterQueue,
  { to, named, limit, dryRun, json }: Redrive,
): Promise<void> => {
  const stop = interruption();
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(queue, limit)) {
      if (stop.aborted) throw new Problem(`Stopped after ${letters.length}; run the command again to continue.`);
      if (!dryRun) await returnToQueue(queue, letter, to);
      letters.push(letter);
      terminal.progress(`${letters.length} done`);
    }
  } finally {
    if (dryRun) await release(queue, letters);
  }
  const count = letters.length;
  if (json) terminal.print(JSON.stringify(dryRun ? { canBeRedriven: count } : { redriven: count }));
  else terminal.print(dryRun ? `${count} can be redriven.` : `${count} redriven to the ${named} queue.`);
};
