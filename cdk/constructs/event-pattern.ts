/**
 * An EventBridge pattern over an event's `detail`. Every named field must match one entry of its list. A list in the event
 * matches if one of its entries does. Fields and words are typed by the contract, so a misspelt one does not compile.
 * @example
 * { account: ['acme'], call: { status: ['not-answered'], customerNumber: [{ prefix: '+44' }] } }
 */
export type Where<Detail> = { readonly [Field in keyof Detail]?: Condition<Detail[Field] | AbsentIfUndeclared<Field>> };

/** A field that the contract does not declare may be absent. */
type AbsentIfUndeclared<Field> = string extends Field ? undefined : never;

type Present<Value> = Exclude<Value, undefined>;

/** Only a field that may be absent accepts `exists`. */
type Presence<Value> = undefined extends Value ? { readonly exists: boolean } : never;

/** The conditions on a field. In brackets, so that a union is not split. */
type Condition<Value> = [Present<Value>] extends [readonly (infer Item)[]]
  ? ConditionOn<Item, Presence<Value>>
  : ConditionOn<Present<Value>, Presence<Value>>;

type ConditionOn<Value, IfAbsent> = [Value] extends [object] ? Where<Value> : readonly (Matcher<Value> | IfAbsent)[];

type Matcher<Value> =
  | Value
  | { readonly 'anything-but': Value | readonly Value[] }
  | ([Value] extends [number] ? (number extends Value ? NumberMatcher : never) : never)
  | ([Value] extends [string] ? (string extends Value ? TextMatcher : never) : never);

interface NumberMatcher {
  readonly numeric:
    | readonly [operator: '>' | '>=' | '<' | '<=' | '=', bound: number]
    | readonly [operator: '>' | '>=', lower: number, operator: '<' | '<=', upper: number];
}

type AnyCase = { readonly 'equals-ignore-case': string };

type PartOfText =
  | AnyCase
  | { readonly prefix: string | AnyCase }
  | { readonly suffix: string | AnyCase }
  | { readonly wildcard: string };

/** Matches a part of free text. Words of a closed vocabulary can only be named in full. */
type TextMatcher = PartOfText | { readonly 'anything-but': PartOfText };

/** The path of an empty list or object in a pattern, which EventBridge rejects; undefined if there is none. */
export const pathOfEmptyField = (pattern: unknown, path: string): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null) return undefined;

  const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  if (Array.isArray(pattern)) return undefined;

  for (const [field, value] of fields) {
    const found = pathOfEmptyField(value, `${path}.${field}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
