import type { Ids, Life, Step } from './example-lives.ts';
import { type KeyedWrite, keyedWrites, type Store } from './keyed-writes.ts';
import type { Compared, SeenLife } from './seen-lives.ts';

/** What a key stands for: the finest thing of which it is made. Every call, customer and agent is one of an account. */
export type Owner = keyof Ids | 'everybody';

/** Units that a callback takes of a key. `place` tells several keys of one owner apart. */
export interface OwnedWrite {
  readonly store: Store;
  readonly owner: Owner;
  readonly place: number;
  readonly units: number;
}

/** What each callback of each kind of call writes. */
export type Written = ReadonlyMap<Life, ReadonlyMap<Step, readonly OwnedWrite[]>>;

const finestFirst = ['call', 'secondAgent', 'agent', 'customer', 'account'] as const;

/**
 * What is written of calls, with what each key is made of: of whatever makes another key when it changes. Throws if some
 * values of a thing share a key, as that spreads in a way which is not simulated.
 */
export const whatIsWritten = (seen: readonly Compared[]): Written =>
  new Map(seen.map((compared) => [compared.life, writtenIn(compared)]));

const writtenIn = ({ base, others }: Compared): ReadonlyMap<Step, readonly OwnedWrite[]> => {
  const writes = keyed(base);
  const changed = new Map([...others].map(([thing, lives]) => [thing, lives.map(keyed)]));
  const places = [...new Set(writes.map(({ key }) => key))];

  const isMadeOf = (thing: keyof Ids, index: number, store: Store): boolean => {
    const all = [writes, ...(changed.get(thing) ?? [])];
    const keys = new Set(all.map((one) => one[index]?.key)).size;
    if (keys !== 1 && keys !== all.length)
      throw new Error(`${all.length} values of ${thing} make ${keys} keys of ${store}`);
    return keys > 1;
  };
  const owned = writes.map(({ step, store, key, units }, index) => {
    const owner: Owner = finestFirst.filter((thing) => isMadeOf(thing, index, store))[0] ?? 'everybody';
    return { step, store, owner, place: places.indexOf(key), units };
  });
  return Map.groupBy(owned, ({ step }) => step);
};

const keyed = (life: SeenLife): readonly (KeyedWrite & { readonly step: Step })[] =>
  life.flatMap(({ step, ...seen }) => keyedWrites(seen).map((write) => ({ ...write, step })));
