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
export const isList = (node: JsonNode): node is readonly JsonNode[] => Array.isArray(node);

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
