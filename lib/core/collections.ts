/** `T`, in which an attribute that may be undefined becomes one that may be missing. */
type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The object without its undefined attributes: in rows and events an absent value is a missing key.
 * @example withoutUndefined({ status: 'answered', skillName: undefined }) // { status: 'answered' }
 */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T>;
export function withoutUndefined(value: object): object {
  const attributes: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(value)) if (attribute !== undefined) attributes[name] = attribute;
  return attributes;
}

/** The object without some of its attributes. */
export function without<T extends object, Name extends PropertyKey>(value: T, names: readonly Name[]): Omit<T, Name>;
export function without(value: object, names: readonly PropertyKey[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[];
export function keysOf(record: Readonly<Record<string, unknown>>) {
  return Object.keys(record);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Creates a value at its first use: what a module creates at import slows every cold start. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
};

export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  change: (value: From, key: Key) => To,
): Readonly<Record<Key, To>>;
export function mapValues(record: Readonly<Record<string, unknown>>, change: (value: unknown, key: string) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/** An item joins the last batch if it fits there; otherwise it starts a new one. */
export const batches = <Item>(
  items: readonly Item[],
  fits: (batch: readonly Item[], next: Item) => boolean,
): readonly (readonly Item[])[] => {
  const all: Item[][] = [];
  for (const item of items) {
    const last = all.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else all.push([item]);
  }
  return all;
};

/** Splits a list into batches of at most `maxWeight`, in order. A heavier item is a batch by itself. */
export const batchesByWeight = <Item>(
  items: readonly Item[],
  maxWeight: number,
  weightOf: (item: Item) => number,
): readonly (readonly Item[])[] => {
  const all: Item[][] = [];
  let batchWeight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const weight = weightOf(item);
    batchWeight += weight;
    if (batchWeight <= maxWeight) {
      all.at(-1)?.push(item);
      continue;
    }
    all.push([item]);
    batchWeight = weight;
  }
  return all;
};

export const keepLatest = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= max) return;
    map.delete(old);
  }
};

/** Works on `count` items at a time. Before it throws it waits for those under way, and begins no other. */
export const inParallel = async <Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const waiting = iteratorOf(items);
  const workOn = async () => {
    for (const item of waiting) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: count }, workOn));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** A generator, because it ends for all loops over it when one of them throws. */
function* iteratorOf<Item>(items: readonly Item[]): Generator<Item, void> {
  yield* items;
}

/** Orders texts by code units: the order does not depend on the machine's language. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export interface TruncationLimit {
  readonly characters: number;
  readonly entries: number;
}

export const truncate = (limit: TruncationLimit, value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, limit.characters).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, limit.entries).map((entry) => truncate(limit, entry));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).slice(0, limit.entries);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key.slice(0, limit.characters).toWellFormed(), truncate(limit, entry)]),
  );
};
