import * as z from 'zod/mini';
import { $ZodObject, type $ZodType } from 'zod/v4/core';
import { unwrapped } from '../storage/field.ts';

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

/** A column of a table, with how its value comes from the detail of an event. */
export interface Column<Detail> {
  readonly type: ColumnType;
  readonly meaning: string;
  readonly unit?: 'seconds';
  /** The fields of the event's detail that it comes from, such as `call.status`. None of them is personal. */
  readonly from: readonly string[];
  /** Its value. An instant is text in ISO 8601. */
  readonly read: (detail: Detail) => ColumnValue | undefined;
}

/** Makes the columns that copy a field of an event. Their meaning is the contract's own, unless they have another. */
export const copiesOf =
  (schema: $ZodType) =>
  (type: ColumnType, path: string, about: Partial<Pick<Column<unknown>, 'meaning' | 'unit'>> = {}): Column<object> => ({
    type,
    ...about,
    meaning: about.meaning ?? meaningOf(schema, path),
    from: [path],
    read: (detail) => columnValue(path.split('.').reduce<unknown>(fieldOf, detail)),
  });

const fieldOf = (value: unknown, name: string): unknown => Object(value)[name];

/** The schema of a field, by its path. */
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

/** A value that a column can hold; undefined where the event has none. */
const columnValue = (value: unknown): ColumnValue | undefined => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? value.map(String) : undefined;
};
