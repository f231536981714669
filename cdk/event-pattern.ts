/**
 * An EventBridge pattern over an event's `detail`. Every named field must match one entry of its list. A list in the event
 * matches if one of its entries does. Fields and words are typed by the contract, so a misspelt one does not compile.
 * @example
 * { account: ['acme'], call: { status: ['not-answered'], customerNumber: [{ prefix: '+44' }] } }
 */
export type Where<Detail> = { readonly [Field in keyof Detail]?: Condition<Detail[Field] | Unnamed<Field>> };

/** A field that the contract does not name may be absent. */
type Unnamed<Field> = string extends Field ? undefined : never;

/** The conditions on a field. Only a field that may be absent accepts `exists`. */
type Condition<Value> = [Exclude<Value, undefined>] extends [readonly (infer Item)[]]
  ? ConditionOn<Item, undefined extends Value ? Exists : never>
  : ConditionOn<Exclude<Value, undefined>, undefined extends Value ? Exists : never>;

type ConditionOn<Value, Presence> = [Value] extends [object] ? Where<Value> : readonly (Matcher<Value> | Presence)[];

/** Whether the field is present. */
export interface Exists {
  readonly exists: boolean;
}

/** A value to be equal to, or one of EventBridge's matchers. */
export type Matcher<Value> =
  | Value
  | { readonly 'anything-but': Value | readonly Value[] }
  | ([Value] extends [number] ? (number extends Value ? NumberMatcher : never) : never)
  | ([Value] extends [string] ? (string extends Value ? TextMatcher : never) : never);

type Above = '>' | '>=';
type Below = '<' | '<=';

/** Compares a number with one bound or with two. */
export interface NumberMatcher {
  readonly numeric:
    | readonly [operator: Above | Below | '=', bound: number]
    | readonly [operator: Above, lower: number, operator: Below, upper: number];
}

type AnyCase = { readonly 'equals-ignore-case': string };
type Beginning = { readonly prefix: string | AnyCase };
type Ending = { readonly suffix: string | AnyCase };
type Wildcard = { readonly wildcard: string };

/** Matches a part of free text. Words of a closed vocabulary can only be named in full. */
export type TextMatcher =
  | AnyCase
  | Beginning
  | Ending
  | Wildcard
  | { readonly 'anything-but': AnyCase | Beginning | Ending | Wildcard };

/** The path of an empty list or object in a pattern, which EventBridge rejects; undefined if there is none. */
export const emptyField = (pattern: unknown, path: string): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null) return undefined;

  const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  if (Array.isArray(pattern)) return undefined;

  return fields.map(([field, value]) => emptyField(value, `${path}.${field}`)).find((found) => found !== undefined);
};
