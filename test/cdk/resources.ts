import type { Template } from 'aws-cdk-lib/assertions';

// biome-ignore lint/suspicious/noExplicitAny: a template's properties have no type, and a test reads them by path.
type Properties = Record<string, any>;

/** Resources of a type, their properties by logical id. */
export const propertiesOf = (template: Template, type: string): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, { Properties }]): [string, Properties] => [id, Properties]),
  );

/** The properties of the one resource of a type whose logical id begins like this, the stack's own prefix left out. */
export const only = (template: Template, type: string, prefix: string): Properties => {
  const found = Object.entries(propertiesOf(template, type)).filter(([id]) => id.startsWith(`Callfeed${prefix}`));
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} resources of ${type} are ${prefix}`);

  return first[1];
};

/** What a reference, an attribute or plain text names: the logical id without the stack's prefix and the hash. */
export const nameOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: readonly [string, string] };
  const [id, suffix] = attribute ?? [Ref ?? 'nothing', 'Ref'];

  return `${id.replace(/^Callfeed/, '').replace(/[0-9A-F]{8}$/, '')}.${suffix}`;
};
