import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { type Field, isFields, isList, type JsonNode } from './node.ts';

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
