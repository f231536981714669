const shared = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Number: Number.prototype,
  Boolean: Boolean.prototype,
  RegExp: RegExp.prototype,
  Map: Map.prototype,
  Set: Set.prototype,
  Promise: Promise.prototype,
  Error: Error.prototype,
  URLSearchParams: URLSearchParams.prototype,
  'Object itself': Object,
  'Array itself': Array,
} as const;

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor | undefined>;

const propertiesOf = (object: object): Properties =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]));

const known = Object.entries(shared).map(([name, object]) => ({ name, object, properties: propertiesOf(object) }));

const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean =>
  one?.value === other?.value && one?.get === other?.get;

const restore = (object: object, key: PropertyKey, before: PropertyDescriptor | undefined): void => {
  if (before === undefined) Reflect.deleteProperty(object, key);
  else Reflect.defineProperty(object, key, before);
};

/** What was added to objects that all others share, or changed; it is undone, so that the next case is judged alone. */
export const polluted = (): readonly string[] =>
  known.flatMap(({ name, object, properties }) => {
    const odd = Reflect.ownKeys(object).filter(
      (key) => !isSame(Reflect.getOwnPropertyDescriptor(object, key), properties.get(key)),
    );
    for (const key of odd) restore(object, key, properties.get(key));
    return odd.map((key) => `${name} has got “${String(key)}”`);
  });
