import type { Call } from '../floor/call.ts';
import type { Choosable, Random } from '../random.ts';
import type { SimulatedAccount } from '../service/accounts.ts';

/** A value as the service writes it: text, a bare number with exactly these digits, or JSON null. */
export type Value = string | { readonly digits: string } | null;

/** A JSON object in the making, in the order in which it is written. */
export type Fields = Readonly<Record<string, Value>>;

/** A bare JSON number with exactly these digits, however many: a number of the language would round them. */
export const bareNumber = (digits: string): Value => ({ digits });

/**
 * The fields with some of their texts replaced; a field that is missing, blank or not text stays.
 *
 * @example withTexts({ Type: 'Inbound' }, ['Type'], (type) => type.toLowerCase()) // { Type: 'inbound' }
 */
export const withTexts = (fields: Fields, keys: readonly string[], change: (text: string) => Value): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      keys.includes(key) && typeof value === 'string' && value !== '' ? [key, change(value)] : [key, value],
    ),
  );

/** How JSON is written: on one line, or over many. */
export type Layout = 'compact' | 'pretty';

/** The JSON text of an object, written by hand so that bare digits survive. */
export const objectText = (fields: Fields, layout: Layout, indent = ''): string => {
  const [open, between, colon, close] =
    layout === 'pretty' ? [`{\n${indent}  `, `,\n${indent}  `, ': ', `\n${indent}}`] : ['{', ',', ':', '}'];
  const members = Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}${colon}${valueText(value)}`);

  return `${open}${members.join(between)}${close}`;
};

/** The JSON text of an array of objects. */
export const arrayText = (items: readonly Fields[], layout: Layout): string => {
  if (layout === 'compact') return `[${items.map((item) => objectText(item, layout)).join(',')}]`;
  return `[\n${items.map((item) => `  ${objectText(item, layout, '  ')}`).join(',\n')}\n]`;
};

const valueText = (value: Value): string =>
  value !== null && typeof value === 'object' ? value.digits : JSON.stringify(value);

/** Rewrites the fields of a summary. */
export type Rewrite = (fields: Fields) => Fields;

/** What a quirk may look at besides the fields. */
export interface QuirkSubject {
  readonly call: Call;
  readonly account: SimulatedAccount;
}

/**
 * A habit of the service in how it writes a summary. It draws once for a call, and the rewrite it returns is used for
 * every delivery and leg of that call: the service does not change its habits between two posts of one call.
 */
export interface FieldQuirk extends Choosable {
  /** Whether it can show on a call at all; on every call unless told. */
  readonly appliesTo?: (call: Call) => boolean;
  readonly prepare: (random: Random, subject: QuirkSubject) => Rewrite;
}
