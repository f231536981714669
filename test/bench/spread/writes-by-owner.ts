import { callsTable } from '../../../lib/schema/tables.ts';
import { entryWrites, tableUnits } from '../costs/row-writes.ts';
import type { CallKind, CallVariants, Ids, ObservedCall, ObservedWrite, Step } from './observed-calls.ts';

/** The table or one of its indexes, by its name. */
export type Store = string;

/** The calls' table itself, among the names of its indexes. */
const tableStore: Store = 'table';

/** Everything that has partitions of its own. */
export const stores: readonly Store[] = [tableStore, ...callsTable.indexes.map(({ name }) => name)];

/** Write units that go to one partition key. */
export interface KeyedWrite {
  readonly store: Store;
  readonly key: string;
  readonly units: number;
}

/** Where the units of a write go: to the key of the row and, unless it was refused, to those of its entries. */
const keyedWrites = ({ write, isRejected, isTransaction }: ObservedWrite): readonly KeyedWrite[] => {
  const { table, before, after } = write;
  const times = isTransaction ? 2 : 1;
  const key = (after ?? before)?.[table.key.partition]?.S ?? '';
  const own = { store: tableStore, key, units: times * tableUnits(write) };
  const entries = table.indexes.flatMap((index) =>
    entryWrites(write, index).map((entry) => ({ store: index.name, key: entry.key, units: times * entry.units })),
  );
  return isRejected ? [own] : [own, ...entries];
};

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
export type WritesByKind = ReadonlyMap<CallKind, ReadonlyMap<Step, readonly OwnedWrite[]>>;

const finestFirst = ['call', 'secondAgent', 'agent', 'customer', 'account'] as const;

/**
 * What is written of calls, with what each key is made of: of whatever makes another key when it changes. Throws if some
 * values of a thing share a key, since the load of such a key is not calculated.
 */
export const writesByKind = (seen: readonly CallVariants[]): WritesByKind =>
  new Map(seen.map((compared) => [compared.callKind, writesByStep(compared)]));

const writesByStep = ({ base, others }: CallVariants): ReadonlyMap<Step, readonly OwnedWrite[]> => {
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

const keyed = (life: ObservedCall): readonly (KeyedWrite & { readonly step: Step })[] =>
  life.flatMap(({ step, ...seen }) => keyedWrites(seen).map((write) => ({ ...write, step })));
