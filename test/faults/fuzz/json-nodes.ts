import fc from 'fast-check';
import type { LoginRow } from '../../../sandbox/simulator/answers.ts';

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
export const styles: readonly Style[] = [
  plain,
  { ...plain, space: ' ' },
  { ...plain, space: '\r\n\t' },
  { ...plain, quoted: (text) => JSON.stringify(text).replaceAll('/', '\\/') },
  { ...plain, quoted: escapedWhere(/[^\x20-\x7e]|[&'+<>]/g) },
  { ...plain, quoted: escapedWhere(/[+/&]/g) },
];

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

/** A change as plain data, so that fast-check can shrink it and a history can be stored. */
export interface Change {
  readonly kind: string;
  /** Where it applies, as a share of the length in `steps`. */
  readonly at: number;
  readonly value: unknown;
}

/** A kind of change: its values, and how one is applied. */
export interface Kind<In, Out = In> {
  readonly kind: string;
  readonly values: fc.Arbitrary<unknown>;
  readonly apply: (given: In, change: Change) => Out;
}

/** Turns the place of a change into an index of a list or text with so many places. */
type IndexOf = (count: number) => number;

const steps = 2 ** 20;

const nothing = fc.constant(undefined);

export const kindWith = <Value, In, Out = In>(
  kind: string,
  values: fc.Arbitrary<Value>,
  apply: (given: In, value: Value, indexOf: IndexOf) => Out,
): Kind<In, Out> => ({
  kind,
  values,
  apply: (given, { value, at }) => apply(given, value as Value, (count) => Math.floor((at / steps) * count)),
});

export const kindOf = <In, Out = In>(kind: string, apply: (given: In, indexOf: IndexOf) => Out): Kind<In, Out> =>
  kindWith<undefined, In, Out>(kind, nothing, (given, _, indexOf) => apply(given, indexOf));

export const changeOf = <In, Out>(kinds: readonly Kind<In, Out>[]): fc.Arbitrary<Change> =>
  fc.oneof(
    ...kinds.map(({ kind, values }) => fc.record({ kind: fc.constant(kind), at: fc.nat(steps - 1), value: values })),
  );

/** With this probability, in percent, up to `most` changes. */
export const changesOf = <Of>(kinds: readonly Kind<Of>[], percent: number, most = 1): fc.Arbitrary<readonly Change[]> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - percent, arbitrary: fc.constant([]) },
    { weight: percent, arbitrary: fc.array(changeOf(kinds), { minLength: 1, maxLength: most, size: 'max' }) },
  );

export const applied = <In, Out>(kinds: readonly Kind<In, Out>[], given: In, change: Change): Out => {
  const found = kinds.find(({ kind }) => kind === change.kind);
  if (found === undefined) throw new Error(`There is no change “${change.kind}”`);
  return found.apply(given, change);
};

export const mutated = <Of>(kinds: readonly Kind<Of>[], given: Of, changes: readonly Change[]): Of =>
  changes.reduce((result, change) => applied(kinds, result, change), given);

/** A change of the fields of one record, as a change of the whole list. */
export const inOneRecord = <Root extends JsonNode>(
  { kind, values, apply }: Kind<FieldList>,
  rebuild: (records: readonly JsonNode[], root: Root) => Root,
): Kind<Root> => ({
  kind,
  values: fc.tuple(fc.nat(999), values),
  apply(root, { value, ...change }) {
    const [which, inner] = value as readonly [number, unknown];
    const records = recordsIn(root);
    const next = records.map((record, index) =>
      index === which % records.length && isFields(record) && record.fields.length > 0
        ? { fields: apply(record.fields, { ...change, value: inner }) }
        : record,
    );
    return rebuild(next, root);
  },
});

/** A spelling of a name that a reader may or may not treat as the same name. */
export const spelling = fc.nat(4);

export const respelt = (name: string, which: number): string =>
  [name.toLowerCase(), name.toUpperCase(), ` ${name}`, `${name}\u0000`, `${name[0]}_${name.slice(1)}`][which] ?? name;

export const withField = (fields: FieldList, indexOf: IndexOf, field: Field): FieldList =>
  fields.toSpliced(indexOf(fields.length + 1), 0, field);

export const withChanged = (fields: FieldList, indexOf: IndexOf, change: (field: Field) => FieldList): FieldList =>
  fields.flatMap((field, index) => (index === indexOf(fields.length) ? change(field) : [field]));

/** With this value of a field, in whichever spelling it was. */
export const withValue = (fields: FieldList, name: string, value: JsonNode): FieldList => [
  ...fields.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
  [name, value],
];

export const rotated = <Item>(items: readonly Item[], indexOf: IndexOf): readonly Item[] => [
  ...items.slice(indexOf(items.length)),
  ...items.slice(0, indexOf(items.length)),
];
