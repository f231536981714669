import type { Call } from '../floor/call.ts';
import type { Choosable, Random } from '../random.ts';
import type { SimulatedAccount } from '../settings.ts';

/** A value as the service writes it: text, a bare number with exactly these digits, or JSON null. */
export type Value = string | { readonly digits: string } | null;

/** The members of a JSON object in their written order. */
export type Fields = Readonly<Record<string, Value>>;

/** A bare JSON number with exactly these digits. A JavaScript number would round long ones. */
export const bareNumber = (digits: string): Value => ({ digits });

/**
 * The fields with some texts replaced. Missing, blank and non-text fields stay unchanged.
 *
 * @example withTexts({ Type: 'Inbound' }, ['Type'], (type) => type.toLowerCase()) // { Type: 'inbound' }
 */
export const withTexts = (fields: Fields, keys: readonly string[], change: (text: string) => Value): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      keys.includes(key) && typeof value === 'string' && value !== '' ? [key, change(value)] : [key, value],
    ),
  );

/** JSON on one line, or on several indented lines. */
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

/** The call and account of the fields. */
export interface QuirkSubject {
  readonly call: Call;
  readonly account: SimulatedAccount;
}

/**
 * A quirk in how the service writes a summary. It draws once per call. The returned rewrite applies to every delivery
 * and leg of that call, as the service does not change its format between two posts of one call.
 */
export interface FieldQuirk extends Choosable {
  /** Whether the quirk can occur in a call. Default: in every call. */
  readonly appliesTo?: (call: Call) => boolean;
  /** Whether it changes the content and not only its spelling. The call report then has the same content. */
  readonly isContent?: true;
  readonly prepare: (random: Random, subject: QuirkSubject) => Rewrite;
}
