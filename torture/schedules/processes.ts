import type { FateOf } from '../world/fate.ts';
import type { Instance } from '../world/instance.ts';
import type { Tell } from './play.ts';
import { fatesOf, type Strike, type Struck } from './strike.ts';

/** One process for each slot, started when it is needed and once more whenever it has died. */
export interface Processes<Slot> {
  readonly of: (slot: Slot) => Instance;
  /** The slot's next work is done by a process that has just started. */
  readonly restart: (slot: Slot) => void;
  /** From now on nobody meets anything bad. */
  readonly heal: () => void;
  /** How many have been started for a slot. */
  readonly started: (slot: Slot) => number;
  readonly struck: () => readonly Struck<Slot>[];
}

/** Processes that `start` makes, which meet what a history has for them. */
export const createProcesses = <Slot extends string>(
  start: (fateOf: FateOf, slot: Slot) => Instance,
  strikes: Readonly<Record<Slot, readonly (readonly Strike[])[]>>,
  tell: Tell,
): Processes<Slot> => {
  const live = new Map<Slot, Instance>();
  const counts = new Map<Slot, number>();
  const struck: Struck<Slot>[] = [];
  let isHealed = false;

  const started = (slot: Slot): Instance => {
    const before = counts.get(slot) ?? 0;
    counts.set(slot, before + 1);
    const fateOf = fatesOf(strikes[slot][before] ?? [], (call, fate) => {
      struck.push({ ...call, slot, fate });
      tell(`  ${slot}: ${call.service} ${call.operation} (call ${call.index}): ${fate}`);
    });
    return start((call) => (isHealed ? 'pass' : fateOf(call)), slot);
  };

  return {
    of(slot) {
      const known = live.get(slot);
      const instance = known === undefined || known.isDead() ? started(slot) : known;
      live.set(slot, instance);
      return instance;
    },
    restart: (slot) => live.delete(slot),
    heal() {
      isHealed = true;
    },
    started: (slot) => counts.get(slot) ?? 0,
    struck: () => struck,
  };
};
