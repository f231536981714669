import * as z from 'zod/mini';
import { $ZodArray, $ZodISODateTime, $ZodNumber, $ZodNumberFormat, $ZodObject, type $ZodType } from 'zod/v4/core';
import { withoutNumbers } from '../../lib/core/numbers-in-text.ts';
import { fail, ok, type Result, wrongFields } from '../../lib/core/result.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import { factsThat } from '../../lib/telephony/call-fields.ts';

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

export interface HistoryColumn<Detail> {
  readonly type: ColumnType;
  readonly meaning: string;
  /** The fields of the event's detail that it comes from, such as `call.status`. None of them is personal. */
  readonly from: readonly string[];
  /** Its value. An instant is text in ISO 8601. */
  readonly read: (detail: Detail) => ColumnValue | undefined;
}

export type HistoryColumns<Detail> = Readonly<Record<string, HistoryColumn<Detail>>>;

/** A name of the contract as the name of a column: `shortAbandoned` is `short_abandoned`. The talk time is named as what it is. */
export const columnName = (name: string): string =>
  (name === 'durationSeconds' ? 'talkSeconds' : name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Fields whose texts somebody typed, so that they may hold a number: they are copied `withoutNumbers`. `callfeed erase` finds a
 * customer's number in the call's row, and nobody could in Parquet.
 */
const typedFields: ReadonlySet<string> = new Set([
  ...factsThat(({ kind }) => kind === 'text' || kind === 'number' || kind === 'text-chain'),
  'skills',
]);

/** Makes columns that copy a field of an event. Type and meaning are the contract's own, unless a meaning is given. */
export const copiesOf =
  (schema: $ZodType) =>
  (path: string, ownMeaning?: string): HistoryColumn<object> => {
    const field = schemaAt(schema, path);
    const meaning = ownMeaning ?? (field && z.globalRegistry.get(field)?.description);
    if (field === undefined || meaning === undefined) throw new Error(`The contract does not describe ${path}.`);
    const names = path.split('.');
    const textOf = typedFields.has(String(names.at(-1))) ? withoutNumbers : String;
    const valueIn = (detail: object) => names.reduce<unknown>((value, name) => Object(value)[name], detail);
    return {
      type: typeOf(unwrapped(field)),
      meaning,
      from: [path],
      read: (detail) => columnValue(valueIn(detail), textOf),
    };
  };

export const schemaAt = (schema: $ZodType, path: string): $ZodType | undefined =>
  path.split('.').reduce<$ZodType | undefined>((within, name) => {
    const object = within && unwrapped(within);
    return object instanceof $ZodObject ? object._zod.def.shape[name] : undefined;
  }, schema);

const typeOf = (field: $ZodType): ColumnType => {
  if (field instanceof $ZodISODateTime) return 'timestamp';
  if (field instanceof $ZodNumberFormat) return 'int';
  if (field instanceof $ZodNumber) return 'double';
  return field instanceof $ZodArray ? 'array<string>' : 'string';
};

const columnValue = (value: unknown, textOf: (text: string) => string): ColumnValue | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return textOf(value);
  return Array.isArray(value) ? value.map((entry) => textOf(String(entry))) : undefined;
};

export type HistoryRow = Readonly<Record<string, ColumnValue>>;

/** Makes the row of an event's detail. A problem names the fields that are wrong, and holds no value. */
export const rowMaker =
  <Detail>(schema: z.ZodMiniType<Detail>, columns: HistoryColumns<Detail>, instantOf: (detail: Detail) => string) =>
  (detail: object): Result<{ readonly day: string; readonly row: HistoryRow }, string> => {
    const parsed = schema.safeParse(detail);
    if (!parsed.success) return fail(`These fields are wrong: ${wrongFields(parsed.error)}.`);

    const row: Record<string, ColumnValue> = {};
    for (const [name, column] of Object.entries(columns)) {
      const value = column.read(parsed.data);
      if (value === undefined) continue;
      if (column.type === 'timestamp' && !instantForm.test(String(value))) return fail(`${name} is no timestamp.`);
      row[name] = column.type === 'timestamp' ? timestampText(String(value)) : value;
    }
    return ok({ day: instantOf(parsed.data).slice(0, 10), row });
  };

/** After the year 9999 a time has another form, which no reader knows. It would make the rows beside it fail too. */
const instantForm = /^\d{4}-/;

/** An instant as the readers of JSON in Glue and DuckDB know timestamps. */
const timestampText = (instant: string): string => instant.replace('T', ' ').replace('Z', '');
