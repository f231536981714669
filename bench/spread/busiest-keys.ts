import { callsTable } from '../../lib/storage/tables.ts';
import { entryWrites, tableUnits } from '../meter.ts';
import { type CallKind, ids, type ObservedCallback, type ObservedWrite, type Step } from './observed-calls.ts';

/** The calls' table itself, among the names of its indexes. */
const tableStore = 'table';

/** The table and its indexes: each has partitions of its own. */
const stores: readonly string[] = [tableStore, ...callsTable.indexes.map(({ name }) => name)];

interface KeyedWrite {
  readonly store: string;
  /** Names in place of the ids, such as {call}. */
  readonly key: string;
  readonly units: number;
}

const withNames = (key: string): string =>
  Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(id, `{${name}}`), key);

/** The partition keys of a write: that of the row and, unless it was rejected, those of its index entries. */
const keyedWrites = ({ write, isRejected, isTransaction }: ObservedWrite): readonly KeyedWrite[] => {
  const { table, before, after } = write;
  const times = isTransaction ? 2 : 1;
  const key = withNames((after ?? before)?.[table.key.partition]?.S ?? '');
  const own = { store: tableStore, key, units: times * tableUnits(write) };
  const entries = table.indexes.flatMap((index) =>
    entryWrites(write, index).map((entry) => ({
      store: index.name,
      key: withNames(entry.key),
      units: times * entry.units,
    })),
  );
  return isRejected ? [own] : [own, ...entries];
};

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
  readonly store: string;
  readonly allUnits: number;
  /** The busiest partition key: its load on average, and in the busiest second of a day. */
  readonly meanUnits: number;
  readonly peakUnits: number;
}

interface Flow {
  readonly rate: number;
  readonly kind: CallKind;
  readonly writes: readonly KeyedWrite[];
}

const flowsOf = ({ callbacksASecond }: Traffic, observed: readonly ObservedCallback[]): readonly Flow[] => {
  const flows = observed.map(({ kind, step, writes }) => ({
    rate: kindShares[kind] * sent(kind, step),
    kind,
    writes: writes.flatMap(keyedWrites),
  }));
  const callbacksACall = flows.reduce((total, { rate }) => total + rate, 0);
  return flows.map((flow) => ({ ...flow, rate: (flow.rate * callbacksASecond) / callbacksACall }));
};

const unitsOf = (writes: readonly KeyedWrite[]): number => writes.reduce((total, { units }) => total + units, 0);

/**
 * The share of the callbacks that write to the busiest key of a kind; undefined for a key of one who has one call at a time.
 * Every call, customer and agent belongs to an account.
 */
const shareOf = (key: string, { accounts }: Traffic): number | undefined => {
  if (/\{(call|agent|secondAgent)\}/.test(key)) return undefined;
  const largest = 1 / Array.from({ length: accounts }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part);
  if (key.includes('{customer}')) return largest * withheldShare;
  return key.includes('{account}') ? largest : 1;
};

export const busiestKeys = (traffic: Traffic, observed: readonly ObservedCallback[]): readonly StoreLoad[] => {
  const flows = flowsOf(traffic, observed);
  return stores.map((store) => {
    const here = flows.map((flow) => ({ ...flow, writes: flow.writes.filter((write) => write.store === store) }));
    const keys = new Set(here.flatMap(({ writes }) => writes.map(({ key }) => key)));
    const loads = [...keys].map((key) => {
      const units = here.map(({ writes, ...flow }) => ({
        ...flow,
        units: unitsOf(writes.filter((write) => write.key === key)),
      }));
      const share = shareOf(key, traffic);
      return share === undefined ? oneCallLoad(units) : sharedLoad(units, share);
    });
    const [busiest] = loads.toSorted((one, other) => other.peakUnits - one.peakUnits);
    return {
      store,
      allUnits: here.reduce((total, { rate, writes }) => total + rate * unitsOf(writes), 0),
      ...(busiest ?? { meanUnits: 0, peakUnits: 0 }),
    };
  });
};

type UnitFlow = Omit<Flow, 'writes'> & { readonly units: number };

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
