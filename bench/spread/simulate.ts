import { seededRandom } from '../../sandbox/simulator/random.ts';
import { calls } from './calls.ts';
import { type Store, stores } from './keyed-writes.ts';
import { people } from './people.ts';
import { plansFor } from './plans.ts';
import type { Traffic } from './traffic.ts';
import type { Written } from './what-is-written.ts';

/** How the partition keys of a table or index were written to. Units are write units in a second. */
export interface Spread {
  readonly store: Store;
  /** What the busiest key took in its busiest second. */
  readonly most: number;
  /** What the busiest key of a second takes, and all together, on average. */
  readonly meanMost: number;
  readonly meanUnits: number;
  /** How many keys are written to in a second, on average. */
  readonly meanKeys: number;
}

/** What was simulated. */
export interface Simulated {
  readonly seconds: number;
  readonly callbacks: number;
  readonly spreads: readonly Spread[];
}

/**
 * Simulates every callback of so many seconds, once calls are under way of which dispositions are still to come, and adds
 * up the units of every partition key in every second: no key is left out or estimated.
 */
export const simulate = (
  traffic: Traffic,
  written: Written,
  { seconds, seed = 1, onSecond = () => undefined }: SimulationOptions,
): Simulated => {
  const random = seededRandom(seed);
  const population = people(traffic, random);
  const { mostCalls, next, idAt } = calls(traffic, population, random);
  for (let second = 0; second < traffic.revisedWithinSeconds; second++) next(() => undefined);

  const { additions, tallies } = plansFor(written, population, mostCalls);
  const sums = new Map(stores.map((store) => [store, { most: 0, mosts: 0, units: 0, keys: 0 }]));
  let callbacks = 0;
  for (let second = 0; second < seconds; second++) {
    next((kind) => {
      callbacks += 1;
      for (const { add, owner, factor, offset, units } of additions[kind] ?? [])
        add(idAt(owner) * factor + offset, units);
    });
    for (const [store, sum] of sums) {
      const closed = tallies.filter((one) => one.store === store).map((one) => one.tally.close());
      const most = Math.max(0, ...closed.map((one) => one.most));
      sum.most = Math.max(sum.most, most);
      sum.mosts += most;
      sum.units += closed.reduce((units, one) => units + one.units, 0);
      sum.keys += closed.reduce((keys, one) => keys + one.keys, 0);
    }
    onSecond(second);
  }
  const spreads = [...sums].map(([store, { most, mosts, units, keys }]) => ({
    store,
    most,
    meanMost: mosts / seconds,
    meanUnits: units / seconds,
    meanKeys: keys / seconds,
  }));
  return { seconds, callbacks, spreads };
};

/** How long is simulated, and by which numbers of chance. */
export interface SimulationOptions {
  readonly seconds: number;
  readonly seed?: number;
  readonly onSecond?: (second: number) => void;
}
