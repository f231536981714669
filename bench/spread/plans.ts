import { kinds, places } from './calls.ts';
import type { Store } from './keyed-writes.ts';
import type { People } from './people.ts';
import { type Tally, tally } from './tally.ts';
import type { OwnedWrite, Owner, Written } from './what-is-written.ts';

/** One thing to add for a callback: units for the key of an owner, whose number is multiplied and moved to make the key's. */
interface Addition {
  readonly add: Tally['add'];
  /** Where the owner's number is found. */
  readonly owner: number;
  readonly factor: number;
  readonly offset: number;
  readonly units: number;
}

/** What to add for each kind of callback, by its number, and the tallies that it is added to. */
export interface Plans {
  readonly additions: readonly (readonly Addition[])[];
  readonly tallies: readonly { readonly store: Store; readonly tally: Tally }[];
}

/** Keys of one call: its own, and that of its further agents' entries. */
const keysOfACall = 8;

/** Plans for these people, of whose calls none has a number as large as `mostCalls`. */
export const plansFor = (written: Written, population: People, mostCalls: number): Plans => {
  const tallies = new Map<string, Plans['tallies'][number]>();
  const tallyOf = (store: Store, owner: Owner): Tally => {
    // The second agent of a call can be the first of another one.
    const name = `${store} ${owner === 'secondAgent' ? 'agent' : owner}`;
    const known = tallies.get(name) ?? { store, tally: tally(sizeOf(owner, population, mostCalls)) };
    tallies.set(name, known);
    return known.tally;
  };
  const additions = kinds.map(({ life, step }) =>
    together(written.get(life)?.get(step) ?? []).map(({ store, owner, place, units }): Addition => {
      const { add } = tallyOf(store, owner);
      const own = { add, owner: places[owner], units };
      return owner === 'call' ? { ...own, factor: keysOfACall, offset: place } : { ...own, factor: 1, offset: 0 };
    }),
  );
  return { additions, tallies: [...tallies.values()] };
};

/** What a callback writes to the same key more than once, added up. */
const together = (writes: readonly OwnedWrite[]): readonly OwnedWrite[] =>
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
