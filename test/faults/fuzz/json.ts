import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';

/** JSON as it is to be written, which can hold what no JavaScript value can: repeated names, odd numbers, broken pieces. */
export type JsonNode = string | Raw | readonly JsonNode[] | Fields;

/** A piece of text that is written as it is. */
export interface Raw {
  readonly raw: string;
}

/** An object: names may be repeated. */
export interface Fields {
  readonly fields: readonly Field[];
}

/** A name and its value. */
export type Field = readonly [name: string, value: JsonNode];

/** Whether this is an object. */
export const isFields = (node: JsonNode): node is Fields => typeof node === 'object' && 'fields' in node;

/** Whether this is a list. */
const isList = (node: JsonNode): node is readonly JsonNode[] => Array.isArray(node);

/** How it is written; it means the same. */
export interface Style {
  /** Written between any two tokens. */
  readonly space: string;
  /** Writes a text with its quotes. */
  readonly quoted: (text: string) => string;
}

/** As JavaScript writes it. */
export const plain: Style = { space: '', quoted: (text) => JSON.stringify(text) };

/** The text of a node. */
export const written = (node: JsonNode, style: Style = plain): string => {
  const { space, quoted } = style;
  if (typeof node === 'string') return quoted(node);
  if (isList(node))
    return bracketed(
      '[]',
      space,
      node.map((item) => written(item, style)),
    );
  if (!isFields(node)) return node.raw;
  const entries = node.fields.map(([name, value]) => `${quoted(name)}${space}:${space}${written(value, style)}`);
  return bracketed('{}', space, entries);
};

const bracketed = (brackets: '[]' | '{}', space: string, parts: readonly string[]): string =>
  `${brackets[0]}${space}${parts.join(`${space},${space}`)}${space}${brackets[1]}`;

/** The node of a JSON text, numbers as they were written. Throws if it is no JSON. */
export const nodeOf = (text: string): JsonNode =>
  // TypeScript does not know yet what the standard hands to a reviver as the third argument.
  JSON.parse(text, ((_: string, value: unknown, { source = '' }: { source?: string }) =>
    revived(value, source)) as never);

const revived = (value: unknown, source: string): JsonNode => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return { raw: source };
  return { fields: Object.entries(value) };
};

/** The fields of an object. */
export type FieldList = readonly Field[];

/** The name in a spelling that may or may not be taken for the same. */
export const respelt = (random: Random, name: string): string =>
  pick(random, [name.toLowerCase(), name.toUpperCase(), ` ${name}`, `${name}\u0000`, `${name[0]}_${name.slice(1)}`]);

/** With one more field anywhere. */
export const somewhere = (random: Random, fields: FieldList, field: Field): FieldList =>
  fields.toSpliced(between(random, 0, fields.length), 0, field);

/** With one field, whichever, replaced by what is made of it. */
export const changed = (random: Random, fields: FieldList, change: (field: Field) => FieldList): FieldList => {
  const at = between(random, 0, fields.length - 1);
  return fields.flatMap((field, index) => (index === at ? change(field) : [field]));
};

/** With this value of a field, in whatever spelling it was. */
export const set = (fields: FieldList, name: string, value: JsonNode): FieldList => [
  ...fields.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
  [name, value],
];

/** The records of a list, or the one that stands alone. */
export const recordsIn = (root: JsonNode): readonly JsonNode[] => (isList(root) ? root : [root]);

/** With the fields of one record, whichever, replaced by what is made of them. */
export const inOneRecord = (random: Random, root: JsonNode, change: (fields: FieldList) => FieldList): JsonNode => {
  const records = recordsIn(root);
  const at = between(random, 0, records.length - 1);
  const next = records.map((record, index) =>
    index === at && isFields(record) && record.fields.length > 0 ? { fields: change(record.fields) } : record,
  );
  return isList(root) ? next : (next[0] ?? root);
};

/** A change that is made to something; the same generator makes the same change. */
export interface Mutation<Of> {
  readonly name: string;
  readonly apply: (random: Random, given: Of) => Of;
}

/** Something after so many changes, whichever; `marks` is told which they were. */
export const mutated = <Of>(
  random: Random,
  given: Of,
  { mutations, times, marks }: { readonly mutations: readonly Mutation<Of>[]; times: number; marks: string[] },
): Of => {
  let result = given;
  for (let count = 0; count < times; count++) {
    const { name, apply } = pick(random, mutations);
    marks.push(name);
    result = apply(random, result);
  }
  return result;
};
