import type { LoginRow } from '../../../sandbox/simulator/service/responses.ts';

/** JSON as it is to be written. Unlike JavaScript values it can have repeated names, odd numbers and broken pieces. */
export type JsonNode = string | Raw | readonly JsonNode[] | Fields;

/** A piece of text that is written as it is. */
export interface Raw {
  readonly raw: string;
}

/** An object, whose names may be repeated. */
export interface Fields {
  readonly fields: FieldList;
}

export type FieldList = readonly Field[];

export type Field = readonly [name: string, value: JsonNode];

export const objectOf = (...fields: FieldList): Fields => ({ fields });

export const isFields = (node: JsonNode): node is Fields => typeof node === 'object' && 'fields' in node;

const isList = (node: JsonNode): node is readonly JsonNode[] => Array.isArray(node);

/** A way of writing JSON; all ways have the same meaning. */
export interface Style {
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
