/** `T` with every attribute that may be undefined turned into one that may be missing. */
export type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The object without its undefined attributes: in rows and events an absent value is a missing key.
 * @example present({ status: 'answered', skillName: undefined }) // { status: 'answered' }
 */
export function present<T extends object>(value: T): Present<T>;
export function present(value: object): object {
  const attributes: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(value)) if (attribute !== undefined) attributes[name] = attribute;
  return attributes;
}
