/** `T` with every attribute that may be undefined turned into one that may be missing. */
export type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The object without its undefined attributes: in rows and events an absent value is a missing key.
 * @example present({ status: 'answered', skillName: undefined }) // { status: 'answered' }
 */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T>;
export function withoutUndefined(value: object): object {
  const attributes: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(value)) if (attribute !== undefined) attributes[name] = attribute;
  return attributes;
}

/** Makes a value when it is first asked for: a schema costs a function's start, be it used or not. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * The object with each value replaced.
 * @example mapValues({ a: 1, b: 2 }, (value) => value + 1) // { a: 2, b: 3 }
 */
export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  change: (value: From, key: Key) => To,
): Readonly<Record<Key, To>>;
export function mapValues(record: Readonly<Record<string, unknown>>, change: (value: unknown, key: string) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/** Attributes by name, as a row holds them: text, numbers, lists and maps of these. */
export type Facts = Readonly<Record<string, unknown>>;
