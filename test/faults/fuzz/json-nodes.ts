import fc from 'fast-check';
import type { LoginRow } from '../../../sandbox/simulator/answers.ts';
import { weighted } from '../../support/arbitraries.ts';

/** JSON as it is to be written. Unlike JavaScript values it can have repeated names, odd numbers and broken pieces. */
export type JsonNode = string | Raw | readonly JsonNode[] | Fields;

/** A piece of text that is written as it is. */
interface Raw {
  readonly raw: string;
}

/** An object, whose names may be repeated. */
interface Fields {
  readonly fields: FieldList;
}

export type FieldList = readonly Field[];

export type Field = readonly [name: string, value: JsonNode];

export const objectOf = (...fields: FieldList): Fields => ({ fields });

export const isFields = (node: JsonNode): node is Fields => typeof node === 'object' && 'fields' in node;

const isList = (node: JsonNode): node is readonly JsonNode[] => Array.isArray(node);

/** A way of writing JSON; all ways have the same meaning. */
interface Style {
  /** Written between any two tokens. */
  readonly space: string;
  readonly quoted: (text: string) => string;
}

const plain: Style = { space: '', quoted: (text) => JSON.stringify(text) };

const escapedWhere = (pattern: RegExp) => (text: string) =>
  JSON.stringify(text).replace(pattern, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Plain, with white space, and with needless escapes. */
export const styles = fc.constantFrom<Style[]>(
  plain,
  { ...plain, space: ' ' },
  { ...plain, space: '\r\n\t' },
  { ...plain, quoted: (text) => JSON.stringify(text).replaceAll('/', '\\/') },
  { ...plain, quoted: escapedWhere(/[^\x20-\x7e]|[&'+<>]/g) },
  { ...plain, quoted: escapedWhere(/[+/&]/g) },
);

export const written = (node: JsonNode, style: Style = plain): string => {
  const { space, quoted } = style;
  const joined = (parts: readonly string[]): string => `${space}${parts.join(`${space},${space}`)}${space}`;
  if (typeof node === 'string') return quoted(node);
  if (isList(node)) return `[${joined(node.map((item) => written(item, style)))}]`;
  if (!isFields(node)) return node.raw;
  const entries = node.fields.map(([name, value]) => `${quoted(name)}${space}:${space}${written(value, style)}`);
  return `{${joined(entries)}}`;
};

/** The node of a JSON text, with numbers as they were written. Throws if it is not JSON. */
export const nodeOf = (text: string): JsonNode =>
  // TypeScript does not know yet that a reviver gets the source as its third argument.
  JSON.parse(text, ((_: string, value: unknown, { source = '' }: { source?: string }) =>
    revived(value, source)) as never);

const revived = (value: unknown, source: string): JsonNode => {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return { raw: source };
  return { fields: Object.entries(value) };
};

/** The records of a list, or a single record. */
export const recordsIn = (root: JsonNode): readonly JsonNode[] => (isList(root) ? root : [root]);

/** The answer of the specification to getAgentLogins. */
export const answerWith = (message: JsonNode, status: JsonNode = 'success'): Fields =>
  objectOf(['status', status], ['message', message]);

export const agentRecord = (row: LoginRow): Fields => ({ fields: Object.entries(row) });

/** Turns the place of a change into an index of a list or text with so many places. */
type IndexOf = (count: number) => number;

/** Ways of changing something, each with a place. */
export type Changes<In, Out = In> = fc.Arbitrary<(given: In) => Out>;

const place: fc.Arbitrary<IndexOf> = fc
  .double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  .map((at) => (count) => Math.floor(at * count));

/** A change that takes one of these values. */
export const using = <Value, In, Out = In>(
  values: fc.Arbitrary<Value>,
  apply: (given: In, value: Value, indexOf: IndexOf) => Out,
): Changes<In, Out> =>
  fc.tuple(values, place).map(
    ([value, indexOf]) =>
      (given: In) =>
        apply(given, value, indexOf),
  );

/** One of some changes that take no value. */
export const among = <In, Out = In>(...changes: ((given: In, indexOf: IndexOf) => Out)[]): Changes<In, Out> =>
  using(fc.constantFrom(...changes), (given, change, indexOf) => change(given, indexOf));

export const oneOf = <In, Out = In>(...changes: readonly Changes<In, Out>[]): Changes<In, Out> => fc.oneof(...changes);

/** With this probability, in percent, up to `most` changes after each other. */
export const sometimes = <Of>(changes: Changes<Of>, percent: number, most = 1): Changes<Of> =>
  weighted<readonly ((given: Of) => Of)[]>(
    [100 - percent, fc.constant([])],
    [percent, fc.array(changes, { minLength: 1, maxLength: most, size: 'max' })],
  ).map((all) => (given: Of) => all.reduce((result, change) => change(result), given));

/** A change of the fields of one record, as a change of the whole list. */
export const inOneRecord = (changes: Changes<FieldList>): Changes<readonly JsonNode[]> =>
  using(changes, (records, change, indexOf) => {
    const which = indexOf(records.length);
    return records.map((record, index) =>
      index === which && isFields(record) && record.fields.length > 0 ? { fields: change(record.fields) } : record,
    );
  });

/** A spelling of a name that a reader may or may not treat as the same name. */
export const spelling = fc.constantFrom<((name: string) => string)[]>(
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => `${name}\u0000`,
  (name) => `${name[0]}_${name.slice(1)}`,
);

export const withField = (fields: FieldList, indexOf: IndexOf, field: Field): FieldList =>
  fields.toSpliced(indexOf(fields.length + 1), 0, field);

export const withChanged = (fields: FieldList, indexOf: IndexOf, change: (field: Field) => FieldList): FieldList => {
  const which = indexOf(fields.length);
  return fields.flatMap((field, index) => (index === which ? change(field) : [field]));
};

/** With this value of a field, in whichever spelling it was. */
export const withValue = (fields: FieldList, name: string, value: JsonNode): FieldList => [
  ...fields.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
  [name, value],
];

export const rotated = <Item>(items: readonly Item[], indexOf: IndexOf): readonly Item[] => {
  const at = indexOf(items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};
