import type { Counts } from './counts.ts';

/** What polls of so many agents take. */
export interface PollCounts {
  readonly agents: number;
  readonly unchanged: Counts;
  /** A poll by a process that did not serve the last one, so that what it remembers of the floor is old. */
  readonly byAnother: Counts;
  /** A second tick in a slot that has been served. */
  readonly taken: Counts;
  /** Polls in which so many agents have changed their state. */
  readonly changed: ReadonlyMap<number, Counts>;
}

/** An account that can be polled, by two processes. Each answers what it took, its events included. */
export interface Polled {
  /** So many agents change their state before the next poll. */
  change(count: number): void;
  nextSlot(): void;
  serve(process: 0 | 1): Promise<Counts>;
}

/** Polls a floor until each kind of poll has been seen. */
export const countPolls = async (
  { change, nextSlot, serve }: Polled,
  { agents, changes }: { readonly agents: number; readonly changes: readonly number[] },
): Promise<PollCounts> => {
  const poll = (process: 0 | 1) => {
    nextSlot();
    return serve(process);
  };
  // All log in, the feed's row gets as long as it is on any day, and at last the second process gets to know the floor.
  for (const process of [0, 0, 0, 0, 1, 0] as const) await poll(process);

  const unchanged = await poll(0);
  const taken = await serve(1);
  const changed = new Map<number, Counts>();
  for (const count of changes) {
    change(count);
    changed.set(count, await poll(0));
  }
  await poll(1);
  await poll(0);
  return { agents, unchanged, taken, changed, byAnother: await poll(1) };
};
