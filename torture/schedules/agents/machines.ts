import { longestRunSeconds } from '../../../lib/feed/slot.ts';
import { Death } from '../../world/life.ts';
import type { MemoryWorld } from '../../world/memory-world.ts';
import type { Tell } from '../play.ts';
import { createProcesses, type Processes } from '../processes.ts';
import type { TimedTurns } from '../timed-turns.ts';
import type { PollingHistory, PollingSlot, Tick } from './polling-history.ts';

/** The machines on which pollers and publisher run. */
export interface Machines {
  readonly processes: Processes<PollingSlot>;
  /** Hands a poller a tick, and ends its run where that takes too long. */
  readonly serve: (tick: Tick) => Promise<void>;
  /** Hands the publisher what waits, at most so many records at a time. */
  readonly publish: (batch: number) => Promise<void>;
  /** Sets a poller's clock to so much from the right time. */
  readonly setClock: (poller: 0 | 1, errorMs: number) => void;
  /** By how much clocks differed at most, the right one among them. */
  readonly spreadMs: () => number;
  readonly cutRuns: () => number;
}

const longestRunMs = longestRunSeconds * 1_000;

const tickAt = (ms: number) => ({ Records: [{ attributes: { SentTimestamp: String(ms) } }] }) as never;

/** Machines in a world, whose processes meet what the history has for them. */
export const createMachines = (
  world: MemoryWorld,
  turns: TimedTurns,
  strikes: PollingHistory['processes'],
  tell: Tell,
): Machines => {
  const nowMs = (): number => world.now().getTime();
  const errors: Record<PollingSlot, number> = { 'poller 0': 0, 'poller 1': 0, publisher: 0 };
  const allErrors = new Set([0]);
  const begun = new Map<PollingSlot, number>();
  const isOver = (slot: PollingSlot): boolean =>
    slot !== 'publisher' && nowMs() >= (begun.get(slot) ?? 0) + longestRunMs;
  let cutRuns = 0;

  const processes = createProcesses<PollingSlot>(
    (fateOf, slot) =>
      world.start(fateOf, {
        clock: () => new Date(nowMs() + errors[slot]),
        pause: turns.sleep,
        turn: async () => {
          await turns.take();
          if (isOver(slot)) throw new Death();
        },
      }),
    strikes,
    tell,
  );

  return {
    processes,
    async serve({ to, afterMs }) {
      const slot: PollingSlot = `poller ${to}`;
      await turns.sleep(afterMs);
      begun.set(slot, nowMs());
      tell(`  ${slot} is handed a tick at ${world.now().toISOString()}`);
      await processes.of(slot).poll(tickAt(nowMs()));
      if (!isOver(slot)) return;
      cutRuns += 1;
      processes.restart(slot);
    },
    async publish(batch) {
      for (const lane of world.streams.waiting())
        await world.streams.deliver(lane, batch, (event) => processes.of('publisher').publish(event));
    },
    setClock(poller, errorMs) {
      errors[`poller ${poller}`] = errorMs;
      allErrors.add(errorMs);
    },
    spreadMs: () => Math.max(...allErrors) - Math.min(...allErrors),
    cutRuns: () => cutRuns,
  };
};
