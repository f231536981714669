import * as z from 'zod/mini';
import { $ZodObject, type $ZodType } from 'zod/v4/core';
import { between, dateOrTime, minDigits, replaceFound } from '../../lib/core/numbers-in-text.ts';
import { unwrapped } from '../../lib/storage/field.ts';

/** The types of columns, as AWS Glue and Amazon Athena name them. A timestamp is in UTC, unless its meaning says otherwise. */
export const columnTypes = [
  'string',
  'int',
  'double',
  'timestamp',
  'array<string>',
  'array<boolean>',
  'array<double>',
] as const;
export type ColumnType = (typeof columnTypes)[number];

/** A value of a column as JSON. A timestamp is a text such as `2026-11-20 05:30:00.000`. */
export type ColumnValue = string | number | boolean | readonly (string | number | boolean | null)[];

export interface Column<Detail> {
  readonly type: ColumnType;
  readonly meaning: string;
  /** The fields of the event's detail that it comes from, such as `call.status`. None of them is personal. */
  readonly from: readonly string[];
  /** Its value. An instant is text in ISO 8601. */
  readonly read: (detail: Detail) => ColumnValue | undefined;
}

interface AboutCopy {
  readonly meaning?: string;
  /** Whether somebody typed its texts, so that they may hold a number: they are copied `withoutNumbers`. */
  readonly isTyped?: true;
}

/** Makes the columns that copy a field of an event. Their meaning is the contract's own, unless they have another. */
export const copiesOf =
  (schema: $ZodType) =>
  (type: ColumnType, path: string, { isTyped, ...about }: AboutCopy = {}): Column<object> => ({
    type,
    ...about,
    meaning: about.meaning ?? meaningOf(schema, path),
    from: [path],
    read: (detail) => columnValue(path.split('.').reduce<unknown>(fieldOf, detail), isTyped ? withoutNumbers : String),
  });

/** A word with an `@`. Only the beginning of a word is tried, so that a long one is read once. */
const address = /(?<!\S)([^\s@]*@\S+)/g;

const number = new RegExp(String.raw`${dateOrTime}|([+(]{0,2}\d(?:${between}\d){${minDigits - 1},})`, 'gu');

/**
 * A text in which each run of six digits or more and each word with an `@` is replaced by `***`, but not what reads as a date or
 * a time. A centre names its dispositions, skills and campaigns itself, and may put a customer's number there. `callfeed erase`
 * finds it in the row of the call. Nobody could erase it in a file of Parquet, so it never gets there.
 */
export const withoutNumbers = (text: string): string => replaceFound(text, [address, number], '***');

const fieldOf = (value: unknown, name: string): unknown => Object(value)[name];

export const schemaAt = (schema: $ZodType, path: string): $ZodType | undefined =>
  path.split('.').reduce<$ZodType | undefined>((within, name) => {
    const object = within && unwrapped(within);
    return object instanceof $ZodObject ? object._zod.def.shape[name] : undefined;
  }, schema);

const meaningOf = (schema: $ZodType, path: string): string => {
  const field = schemaAt(schema, path);
  const description = field && z.globalRegistry.get(field)?.description;
  if (description === undefined) throw new Error(`The contract does not describe ${path}.`);
  return description;
};

const columnValue = (value: unknown, textOf: (text: string) => string): ColumnValue | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return textOf(value);
  return Array.isArray(value) ? value.map((entry) => textOf(String(entry))) : undefined;
};
