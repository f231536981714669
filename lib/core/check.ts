import { type Facts, isObject, mapValues } from './collections.ts';
import { fail, loggableError, ok, type Result } from './result.ts';

/** A faulty part of a value. It holds names of fields, but never the part itself, which may be a secret. */
export interface Problem {
  /** Where the part is, such as `[0].token.kind`; empty for the value itself. */
  readonly place: string;
  /** What is expected there: a sentence. */
  readonly expected: string;
}

/**
 * Finds what is wrong in a value. Functions check with these and not with zod, which takes 7 to 12 % of a cold start.
 */
export interface Check<Value> {
  (value: unknown, place: string): readonly Problem[];
  /** The declared parts of what passed, if that may have others: what a newer version added is left out. */
  take?(passed: unknown): unknown;
  /** Only the type of what passes. */
  readonly passes?: Value;
}

/** What passes a check. */
export type Checked<Some> = Some extends Check<infer Value> ? Value : never;

type Finds = (value: unknown, place: string) => readonly Problem[];

/** A check that takes only a part of what passed: `take` gets nothing else. */
const taking = <Value, Passed>(find: Finds, take: ((passed: Passed) => unknown) | undefined): Check<Value> =>
  take === undefined ? find : Object.assign(find, { take });

const taken = (check: Check<unknown>, passed: unknown): unknown => check.take?.(passed) ?? passed;

/** The declared parts of a value, if a check finds nothing wrong in it. */
export function checked<Value>(check: Check<Value>, value: unknown): Result<Value, readonly Problem[]>;
export function checked(check: Check<unknown>, value: unknown): Result<unknown, readonly Problem[]> {
  const problems = check(value, '');
  return problems.length === 0 ? ok(taken(check, value)) : fail(problems);
}

/** Ten examples are enough to see what is wrong. A snapshot of a thousand agents can have a thousand problems. */
const maxProblems = 10;

/** Problems in one line: what is expected at each place. `name` is that of the value itself. */
export const problemText = (problems: readonly Problem[], name = 'value'): string => {
  const more = problems.length - maxProblems;
  return [
    ...problems.slice(0, maxProblems).map(({ place, expected }) => `${place === '' ? name : place}: ${expected}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ');
};

/** A text that is not empty, and passes a test of its own. */
export const text =
  (expected: string, isRight: (text: string) => boolean = () => true): Check<string> =>
  (value, place) =>
    typeof value === 'string' && value !== '' && isRight(value) ? [] : [{ place, expected }];

/** An instant in UTC: ISO 8601 with milliseconds. */
export const instant = text(
  'Expected an instant in UTC with milliseconds',
  (value) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value,
);

/** One of some words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Check<Word> =>
  (value, place) =>
    words.some((word) => word === value) ? [] : [{ place, expected: `Expected ${words.join(' or ')}` }];

/** A value that may be absent. */
export const optional = <Value>(check: Check<Value>): Check<Value | undefined> =>
  taking((value, place) => (value === undefined ? [] : check(value, place)), check.take);

/** Any value. */
export const anything: Check<unknown> = () => [];

/** Any text. */
export const string: Check<string> = (value, place) =>
  typeof value === 'string' ? [] : [{ place, expected: 'Expected a text' }];

/** Any number. */
export const number: Check<number> = (value, place) =>
  Number.isFinite(value) ? [] : [{ place, expected: 'Expected a number' }];

/** True or false. */
export const truth: Check<boolean> = (value, place) =>
  typeof value === 'boolean' ? [] : [{ place, expected: 'Expected true or false' }];

/** A whole number, not less than another. */
export const wholeNumber =
  (minimum: number): Check<number> =>
  (value, place) =>
    Number.isInteger(value) && Number(value) >= minimum
      ? []
      : [{ place, expected: `Expected a whole number from ${minimum}` }];

/** A list with some elements at least. */
export const listOf = <Value>(check: Check<Value>, expected: string, minimum = 1): Check<readonly Value[]> =>
  taking(
    (value, place) =>
      Array.isArray(value) && value.length >= minimum
        ? value.flatMap((element, index) => check(element, `${place}[${index}]`))
        : [{ place, expected }],
    check.take && ((list: readonly unknown[]) => list.map((element) => taken(check, element))),
  );

/** An object with any names. A name may be personal data, so the place of a problem has `*` for it, unless `isNamed`. */
export const mapOf = <Value>(
  check: Check<Value>,
  expected: string,
  { isNamed = false } = {},
): Check<Readonly<Record<string, Value>>> =>
  taking(
    (value, place) =>
      isObject(value)
        ? Object.entries(value).flatMap(([name, part]) => check(part, `${place}.${isNamed ? name : '*'}`))
        : [{ place, expected }],
    check.take && ((map: Facts) => mapValues(map, (part) => taken(check, part))),
  );

/** Checks by the name of a field. */
type Fields = Readonly<Record<string, Check<unknown>>>;

type Names<Declared extends Fields, IsOptional> = {
  [Name in keyof Declared]: (undefined extends Checked<Declared[Name]> ? true : false) extends IsOptional
    ? Name
    : never;
}[keyof Declared];

/** An object with these fields. A field that may be undefined may be absent. */
export type ObjectOf<Declared extends Fields> = {
  readonly [Name in Names<Declared, false>]: Checked<Declared[Name]>;
} & { readonly [Name in Names<Declared, true>]?: Checked<Declared[Name]> };

/** An object with these fields, and perhaps others, which are left out. */
export const object = <Declared extends Fields>(fields: Declared): Check<ObjectOf<Declared>> =>
  taking(
    (value, place) =>
      isObject(value)
        ? Object.entries(fields).flatMap(([name, check]) => check(value[name], `${place}.${name}`))
        : [{ place, expected: 'Expected an object' }],
    (passed: Facts) =>
      Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => passed[name] !== undefined)
          .map(([name, check]) => [name, taken(check, passed[name])]),
      ),
  );

/** An object with these fields and no others. */
export const strictObject = <Declared extends Fields>(fields: Declared): Check<ObjectOf<Declared>> => {
  const check = object(fields);
  const names = Object.keys(fields);
  return (value, place) => {
    const others = isObject(value) ? Object.keys(value).filter((name) => !names.includes(name)) : [];
    const expected = `Expected no field ${others.join(', ')}, but only ${names.join(', ')}`;
    return [...check(value, place), ...(others.length > 0 ? [{ place, expected }] : [])];
  };
};

/** A check for every field that a type declares. */
export type ChecksOf<Row> = { readonly [Name in keyof Row]-?: Check<Row[Name]> };

/** The declared parts of a row, if nothing is wrong in them. */
export function readFields<Row>(checks: ChecksOf<Row>, row: Facts): Result<Row, readonly Problem[]>;
export function readFields(checks: Fields, row: Facts): Result<Facts, readonly Problem[]> {
  return checked(object(checks), row);
}

/** The same of a row that one of our functions wrote. Throws if something else wrote it. */
export const readRow = <Row>(checks: ChecksOf<Row>, row: Facts): Row => {
  const read = readFields<Row>(checks, row);
  if (read.ok) return read.value;
  throw loggableError(`Callfeed did not write this row: ${problemText(read.problem)}`);
};

/** An object that passes the check which its field `kind` names. */
export const ofKind = <Kinds extends Fields>(kinds: Kinds, expected: string): Check<Checked<Kinds[keyof Kinds]>> => {
  const checkFor = (kind: unknown) =>
    typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return taking(
    (value, place) => {
      if (!isObject(value)) return [{ place, expected }];
      const check = checkFor(value['kind']);
      return check === undefined ? [{ place: `${place}.kind`, expected }] : check(value, place);
    },
    (passed: { readonly kind: string }) => checkFor(passed.kind)?.take?.(passed),
  );
};
