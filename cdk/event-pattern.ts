/**
 * Which events a subscription wants, as a pattern of EventBridge over an event's `detail`: every field that is named has to
 * match, by any entry of its list. A list in the event matches if any of its entries does. Fields and words are the
 * contract's, so that a misspelt one does not compile.
 * @example
 * { account: ['acme'], call: { status: ['not-answered'], customerNumber: [{ prefix: '+44' }] } }
 */
export type Where<Detail> = { readonly [Field in keyof Detail]?: Condition<Detail[Field] | Unnamed<Field>> };

/** A field that the contract does not name can be absent. */
type Unnamed<Field> = string extends Field ? undefined : never;

/** What may be asked of a field; only one that can be absent may be asked whether it exists. */
type Condition<Value> = [Exclude<Value, undefined>] extends [readonly (infer Item)[]]
  ? ConditionOn<Item, undefined extends Value ? Exists : never>
  : ConditionOn<Exclude<Value, undefined>, undefined extends Value ? Exists : never>;

type ConditionOn<Value, Presence> = [Value] extends [object] ? Where<Value> : readonly (Matcher<Value> | Presence)[];

/** Whether the field is there. */
export interface Exists {
  readonly exists: boolean;
}

/** One way in which a value matches: being this very one, or a matcher of EventBridge. */
export type Matcher<Value> =
  | Value
  | { readonly 'anything-but': Value | readonly Value[] }
  | ([Value] extends [number] ? (number extends Value ? NumberMatcher : never) : never)
  | ([Value] extends [string] ? (string extends Value ? TextMatcher : never) : never);

type Above = '>' | '>=';
type Below = '<' | '<=';

/** Numbers by their size: on one side of a bound, at it, or between two. */
export interface NumberMatcher {
  readonly numeric:
    | readonly [operator: Above | Below | '=', bound: number]
    | readonly [operator: Above, lower: number, operator: Below, upper: number];
}

type AnyCase = { readonly 'equals-ignore-case': string };
type Beginning = { readonly prefix: string | AnyCase };
type Ending = { readonly suffix: string | AnyCase };
type Wildcard = { readonly wildcard: string };

/** Free text by a part of it; the words of a closed vocabulary are named whole. */
export type TextMatcher =
  | AnyCase
  | Beginning
  | Ending
  | Wildcard
  | { readonly 'anything-but': AnyCase | Beginning | Ending | Wildcard };

/** Where a pattern has an empty list or an object without fields, which EventBridge refuses; undefined if nowhere. */
export const emptyField = (pattern: unknown, path: string): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null) return undefined;

  const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  if (Array.isArray(pattern)) return undefined;

  return fields.map(([field, value]) => emptyField(value, `${path}.${field}`)).find((found) => found !== undefined);
};
