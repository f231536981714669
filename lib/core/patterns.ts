/** What a field may be, in the language of EventBridge's patterns. In SQL a number may be a column instead. */
type Matcher<Limit> =
  | string
  | boolean
  | { readonly exists: boolean }
  | { readonly 'anything-but': readonly string[] }
  | { readonly numeric: readonly ['<' | '<=', Limit] };

/** A pattern over the fields of an object: each field has to fit one of its matchers. */
export type Pattern<Limit = number> = Readonly<Record<string, readonly Matcher<Limit>[]>>;

/** A test of whether an object fits a pattern. A missing field is `undefined`. */
export const patternTest = (pattern: Pattern): ((fields: object) => boolean) => {
  const entries = Object.entries(pattern);
  return (fields) =>
    entries.every(([name, matchers]) => {
      const value: unknown = Reflect.get(fields, name);
      return matchers.some((matcher) => fits(matcher, value));
    });
};

const fits = (matcher: Matcher<number>, value: unknown): boolean => {
  if (typeof matcher !== 'object') return value === matcher;
  if ('exists' in matcher) return (value !== undefined) === matcher.exists;
  if ('anything-but' in matcher) return value !== undefined && !matcher['anything-but'].some((one) => one === value);
  const [comparison, limit] = matcher.numeric;
  return typeof value === 'number' && (comparison === '<' ? value < limit : value <= limit);
};

/** A pattern as a condition of SQL, over the columns that have its fields. It may be NULL where it does not hold. */
export const sqlConditionOf = (pattern: Pattern<string>, columnOf: (field: string) => string): string =>
  Object.entries(pattern)
    .map(([field, matchers]) => {
      const conditions = matchers.map((matcher) => sqlOf(matcher, columnOf(field)));
      return conditions.length === 1 ? conditions[0] : `(${conditions.join(' OR ')})`;
    })
    .join(' AND ');

const sqlOf = (matcher: Matcher<string>, column: string): string => {
  if (typeof matcher === 'boolean') return `${column} = ${matcher}`;
  if (typeof matcher === 'string') return `${column} = '${matcher}'`;
  if ('exists' in matcher) return `${column} IS ${matcher.exists ? 'NOT NULL' : 'NULL'}`;
  if ('anything-but' in matcher)
    return `${column} NOT IN (${matcher['anything-but'].map((one) => `'${one}'`).join(', ')})`;
  return `${column} ${matcher.numeric.join(' ')}`;
};
