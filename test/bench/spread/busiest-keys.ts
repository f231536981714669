import { callsTable } from '../../../lib/schema/tables.ts';
import { entryWrites, tableUnits } from '../costs/row-writes.ts';
import type { CallKind, CallVariants, Ids, ObservedCall, ObservedWrite, Step } from './observed-calls.ts';

export type Store = string;

/** The calls' table itself, among the names of its indexes. */
const tableStore: Store = 'table';

/** The table and its indexes: each has partitions of its own. */
export const stores: readonly Store[] = [tableStore, ...callsTable.indexes.map(({ name }) => name)];

export interface KeyedWrite {
  readonly store: Store;
  readonly key: string;
  readonly units: number;
}

/** The partition keys of a write: that of the row and, unless it was rejected, those of its index entries. */
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

/** What a key is made of, at its finest. Every call, customer and agent belongs to an account. */
export type Owner = keyof Ids | 'everybody';

/** The units of a callback for one key. `place` distinguishes several keys of one owner. */
export interface OwnedWrite {
  readonly store: Store;
  readonly owner: Owner;
  readonly place: number;
  readonly units: number;
}

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

export interface Traffic {
  readonly callbacksASecond: number;
  /** How many accounts share the calls: the n-th largest has an n-th of the calls of the largest. */
  readonly accounts: number;
}

/** Shares of all calls, by kind. */
const kindShares: Readonly<Record<CallKind, number>> = { answered: 0.7, transferred: 0.1, missed: 0.2 };

/** How often a callback is sent. Half of them come twice; half of the calls with an agent get a disposition later. */
const sent = (kind: CallKind, step: Step): number => {
  if (step === 'first') return 1;
  return step === 'revised' && kind === 'missed' ? 0 : 0.5;
};

/** Callers who withhold their number share one key, which is busier than the most frequent customer's. */
const withheldShare = 0.05;

/** The peak of a day is the load that one second of so many exceeds. */
const secondsADay = 86_400;

/** The load of one table or index. Units are write units a second. */
export interface StoreLoad {
  readonly store: Store;
  readonly allUnits: number;
  /** The busiest partition key: its load on average, and in the busiest second of a day. */
  readonly meanUnits: number;
  readonly peakUnits: number;
}

interface Flow {
  readonly rate: number;
  readonly step: Step;
  readonly kind: CallKind;
  readonly writes: readonly OwnedWrite[];
}

const flowsOf = ({ callbacksASecond }: Traffic, written: WritesByKind): readonly Flow[] => {
  const flows = [...written].flatMap(([kind, bySteps]) =>
    [...bySteps].map(([step, writes]) => ({ kind, step, writes, rate: kindShares[kind] * sent(kind, step) })),
  );
  const callbacksACall = flows.reduce((total, { rate }) => total + rate, 0);
  return flows.map((flow) => ({ ...flow, rate: (flow.rate * callbacksASecond) / callbacksACall }));
};

const unitsAt = ({ writes }: Flow, isCounted: (write: OwnedWrite) => boolean): number =>
  writes.filter(isCounted).reduce((total, { units }) => total + units, 0);

/** The share of the callbacks that write to the busiest key of an owner; undefined for one who has one call at a time. */
const shareOf = (owner: Owner, { accounts }: Traffic): number | undefined => {
  const largest = 1 / Array.from({ length: accounts }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part);
  if (owner === 'everybody') return 1;
  if (owner === 'account') return largest;
  return owner === 'customer' ? largest * withheldShare : undefined;
};

export const busiestKeys = (traffic: Traffic, written: WritesByKind): readonly StoreLoad[] => {
  const flows = flowsOf(traffic, written);
  return stores.map((store) => {
    const writes = flows.flatMap((flow) => flow.writes).filter((write) => write.store === store);
    const loads = writes.map(({ owner, place }) => {
      const units = flows.map((flow) => ({
        ...flow,
        units: unitsAt(flow, (write) => write.store === store && write.owner === owner && write.place === place),
      }));
      const share = shareOf(owner, traffic);
      return share === undefined ? oneCallLoad(units) : sharedLoad(units, share);
    });
    const [busiest] = loads.toSorted((one, other) => other.peakUnits - one.peakUnits);
    return {
      store,
      allUnits: flows.reduce((total, flow) => total + flow.rate * unitsAt(flow, (write) => write.store === store), 0),
      ...(busiest ?? { meanUnits: 0, peakUnits: 0 }),
    };
  });
};

type UnitFlow = Flow & { readonly units: number };

/** The key of a call or an agent gets at most the callbacks of one call in a second; a transfer may add those of another. */
const oneCallLoad = (flows: readonly UnitFlow[]) => {
  const byKind = Map.groupBy(flows, ({ kind }) => kind);
  const most = Math.max(...[...byKind.values()].map((some) => some.reduce((total, { units }) => total + units, 0)));
  return { meanUnits: most, peakUnits: most };
};

/**
 * Callbacks come independently, so the units in a second are a compound Poisson number. It is taken as a Poisson number of
 * equal writes with the same mean and variance.
 */
const sharedLoad = (flows: readonly UnitFlow[], share: number) => {
  const meanUnits = flows.reduce((total, { rate, units }) => total + share * rate * units, 0);
  const variance = flows.reduce((total, { rate, units }) => total + share * rate * units ** 2, 0);
  const unitsAWrite = variance / meanUnits || 1;
  return { meanUnits, peakUnits: unitsAWrite * poissonQuantile(meanUnits / unitsAWrite, 1 - 1 / secondsADay) };
};

/** The least number that a Poisson number exceeds with at most the rest of the probability. By logarithms, as e^-mean is 0. */
const poissonQuantile = (mean: number, probability: number): number => {
  let logTerm = -mean;
  let sum = Math.exp(logTerm);
  let count = 0;
  while (sum < probability && count < 10 * mean + 100) {
    count += 1;
    logTerm += Math.log(mean / count);
    sum += Math.exp(logTerm);
  }
  return count;
};
