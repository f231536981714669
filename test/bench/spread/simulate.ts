import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { callbackKinds, calls, places } from './calls.ts';
import { type People, people, type Traffic } from './traffic.ts';
import { type OwnedWrite, type Owner, type Store, stores, type WritesByKind } from './writes-by-owner.ts';

/** The units that the keys of one owner take in a second. */
export interface KeyCounter {
  add(id: number, units: number): void;
  /** What the second came to; the next one begins. */
  endSecond(): Second;
}

/** A second's units: of the key that took most, of all, and how many keys there were. */
export interface Second {
  readonly most: number;
  readonly units: number;
  readonly keys: number;
}

/** A tally of ids below `size`. */
const keyCounter = (size: number): KeyCounter => {
  const taken = new Uint32Array(size);
  const touched = new Int32Array(size);
  let keys = 0;
  let most = 0;
  let units = 0;

  return {
    add(id, by) {
      const before = taken[id] ?? 0;
      if (before === 0) {
        touched[keys] = id;
        keys += 1;
      }
      taken[id] = before + by;
      units += by;
      if (before + by > most) most = before + by;
    },
    endSecond() {
      for (let index = 0; index < keys; index++) taken[touched[index] ?? 0] = 0;
      const second = { most, units, keys };
      keys = 0;
      most = 0;
      units = 0;
      return second;
    },
  };
};

/** One thing to add for a callback: units for the key of an owner, whose number is multiplied and moved to make the key's. */
interface Addition {
  readonly add: KeyCounter['add'];
  /** Where the owner's number is found. */
  readonly owner: number;
  readonly factor: number;
  readonly offset: number;
  readonly units: number;
}

/** What to add for each kind of callback, by its number, and the tallies that it is added to. */
export interface Plans {
  readonly additions: readonly (readonly Addition[])[];
  readonly counters: readonly { readonly store: Store; readonly tally: KeyCounter }[];
}

/** Keys of one call: its own, and that of its further agents' entries. */
const keysOfACall = 8;

/** Plans for these people, of whose calls none has a number as large as `mostCalls`. */
const plansFor = (written: WritesByKind, population: People, mostCalls: number): Plans => {
  const tallies = new Map<string, Plans['counters'][number]>();
  const tallyOf = (store: Store, owner: Owner): KeyCounter => {
    // The second agent of a call can be the first of another one.
    const name = `${store} ${owner === 'secondAgent' ? 'agent' : owner}`;
    const known = tallies.get(name) ?? { store, tally: keyCounter(sizeOf(owner, population, mostCalls)) };
    tallies.set(name, known);
    return known.tally;
  };
  const additions = callbackKinds.map(({ life, step }) =>
    mergeSameKey(written.get(life)?.get(step) ?? []).map(({ store, owner, place, units }): Addition => {
      const { add } = tallyOf(store, owner);
      const own = { add, owner: places[owner], units };
      return owner === 'call' ? { ...own, factor: keysOfACall, offset: place } : { ...own, factor: 1, offset: 0 };
    }),
  );
  return { additions, counters: [...tallies.values()] };
};

/** What a callback writes to the same key more than once, added up. */
const mergeSameKey = (writes: readonly OwnedWrite[]): readonly OwnedWrite[] =>
  [...Map.groupBy(writes, ({ store, owner, place }) => JSON.stringify([store, owner, place])).values()].flatMap(
    (same) => same.slice(0, 1).map((write) => ({ ...write, units: same.reduce((sum, { units }) => sum + units, 0) })),
  );

const sizeOf = (owner: Owner, { accounts, agents, customers }: People, mostCalls: number): number =>
  ({
    call: mostCalls * keysOfACall,
    agent: agents,
    secondAgent: agents,
    customer: customers,
    account: accounts,
    everybody: 1,
  })[owner];

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
  written: WritesByKind,
  { seconds, seed = 1, onSecond = () => undefined }: SimulationOptions,
): Simulated => {
  const random = seededRandom(seed);
  const population = people(traffic, random);
  const { mostCalls, next, idAt } = calls(traffic, population, random);
  for (let second = 0; second < traffic.revisedWithinSeconds; second++) next(() => undefined);

  const { additions, counters } = plansFor(written, population, mostCalls);
  const sums = new Map(stores.map((store) => [store, { most: 0, mosts: 0, units: 0, keys: 0 }]));
  let callbacks = 0;
  for (let second = 0; second < seconds; second++) {
    next((kind) => {
      callbacks += 1;
      for (const { add, owner, factor, offset, units } of additions[kind] ?? [])
        add(idAt(owner) * factor + offset, units);
    });
    for (const [store, sum] of sums) {
      const closed = counters.filter((one) => one.store === store).map((one) => one.tally.endSecond());
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
