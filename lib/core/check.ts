import { type Facts, isObject } from './collections.ts';
import { fail, loggableError, ok, type Result } from './result.ts';

/** A faulty part of a value. It never holds the part itself, which may be a secret. */
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
  /** Only the type of what passes. */
  readonly passes?: Value;
}

/** What passes a check. */
export type Checked<Some> = Some extends Check<infer Value> ? Value : never;

/** The value, if a check finds nothing wrong in it. */
export function checked<Value>(check: Check<Value>, value: unknown): Result<Value, readonly Problem[]>;
export function checked(check: Check<unknown>, value: unknown): Result<unknown, readonly Problem[]> {
  const problems = check(value, '');
  return problems.length === 0 ? ok(value) : fail(problems);
}

/** Problems in one line: what is expected at each place. `name` is that of the value itself. */
export const problemText = (problems: readonly Problem[], name = 'value'): string =>
  problems.map(({ place, expected }) => `${place === '' ? name : place}: ${expected}`).join('; ');

/** A text that is not empty, and passes a test of its own. */
export const text =
  (expected: string, isRight: (text: string) => boolean = () => true): Check<string> =>
  (value, place) =>
    typeof value === 'string' && value !== '' && isRight(value) ? [] : [{ place, expected }];

/** An instant in UTC: ISO 8601 with milliseconds. */
export const instant = text(
  'Expected an instant in UTC with milliseconds',
  (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value)),
);

/** One of some words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Check<Word> =>
  (value, place) =>
    words.some((word) => word === value) ? [] : [{ place, expected: `Expected ${words.join(' or ')}` }];

/** A value that may be absent. */
export const optional =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value, place) =>
    value === undefined ? [] : check(value, place);

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
export const listOf =
  <Value>(check: Check<Value>, expected: string, minimum = 1): Check<readonly Value[]> =>
  (value, place) =>
    Array.isArray(value) && value.length >= minimum
      ? value.flatMap((element, index) => check(element, `${place}[${index}]`))
      : [{ place, expected }];

/** An object with any names. */
export const mapOf =
  <Value>(check: Check<Value>, expected: string): Check<Readonly<Record<string, Value>>> =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => check(part, `${place}.${name}`))
      : [{ place, expected }];

/** Checks by the name of a field. */
type Fields = Readonly<Record<string, Check<unknown>>>;

type Names<Declared extends Fields, IsOptional> = {
  [Name in keyof Declared]: undefined extends Checked<Declared[Name]>
    ? IsOptional extends true
      ? Name
      : never
    : IsOptional extends true
      ? never
      : Name;
}[keyof Declared];

/** An object with these fields, of which those that may be undefined may be absent. */
export type ObjectOf<Declared extends Fields> = {
  readonly [Name in Names<Declared, false>]: Checked<Declared[Name]>;
} & { readonly [Name in Names<Declared, true>]?: Checked<Declared[Name]> };

/** An object with these fields, and perhaps others. */
export const object =
  <Declared extends Fields>(fields: Declared): Check<ObjectOf<Declared>> =>
  (value, place) =>
    isObject(value)
      ? Object.entries(fields).flatMap(([name, check]) => check(value[name], `${place}.${name}`))
      : [{ place, expected: 'Expected an object' }];

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

/** The declared fields of a row alone, if their checks find nothing wrong. What a newer version added is left out. */
export function fieldsOf<Row>(checks: ChecksOf<Row>, row: Facts): Result<Row, readonly Problem[]>;
export function fieldsOf(checks: Fields, row: Facts): Result<Facts, readonly Problem[]> {
  const problems = object(checks)(row, '');
  const names = Object.keys(checks).filter((name) => row[name] !== undefined);
  return problems.length === 0 ? ok(Object.fromEntries(names.map((name) => [name, row[name]]))) : fail(problems);
}

/** The same of a row that one of our functions wrote. Throws if something else wrote it. */
export const readRow = <Row>(checks: ChecksOf<Row>, row: Facts): Row => {
  const read = fieldsOf<Row>(checks, row);
  if (read.ok) return read.value;
  throw loggableError(`Callfeed did not write this row: ${problemText(read.problem)}`);
};

/** An object that passes the check which its field `kind` names. */
export const ofKind =
  <Kinds extends Fields>(kinds: Kinds, expected: string): Check<Checked<Kinds[keyof Kinds]>> =>
  (value, place) => {
    if (!isObject(value)) return [{ place, expected }];
    const { kind } = value;
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    return check === undefined ? [{ place: `${place}.kind`, expected }] : check(value, place);
  };
