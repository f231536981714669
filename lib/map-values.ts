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
