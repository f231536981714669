import { $ZodArray, $ZodObject, $ZodOptional, $ZodReadonly, type $ZodType } from 'zod/v4/core';
import { Agent } from '../../lib/agents/schema.ts';
import { CallSummary } from '../../lib/contract/call-events.ts';
import { eventSchemasFor } from '../../lib/contract/events.ts';
import { objectWithoutPersonal } from '../../lib/contract/personal-data.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { isList } from '../../lib/publish/project-event.ts';
import type { PublicParts } from '../../lib/publish/public-fields.ts';

/** The parts of a value that its schema declares. */
export const partsOf = (schema: $ZodType): PublicParts => {
  if (schema instanceof $ZodOptional || schema instanceof $ZodReadonly) return partsOf(schema._zod.def.innerType);
  if (schema instanceof $ZodArray) return [partsOf(schema._zod.def.element)];
  return schema instanceof $ZodObject ? mapValues(schema._zod.def.shape, partsOf) : true;
};

/** What several events have: written once, under a name. */
const shared = { call: CallSummary, agent: Agent };
const nameByParts = new Map(
  Object.entries(shared).map(([name, schema]) => [JSON.stringify(partsOf(objectWithoutPersonal(schema))), name]),
);

const codeOf = (parts: PublicParts, indent = ''): string =>
  nameByParts.get(JSON.stringify(parts)) ?? wholeCodeOf(parts, indent);

const wholeCodeOf = (parts: PublicParts, indent = ''): string => {
  const inner = `${indent}  `;
  if (parts === true) return 'true';
  if (isList(parts)) return parts[0] === true ? '[true]' : `[\n${inner}${codeOf(parts[0], inner)},\n${indent}]`;
  const fields = Object.entries(parts).map(([name, part]) => {
    const code = codeOf(part, inner);
    return code === name ? `${inner}${name},\n` : `${inner}${nameOf(name)}: ${code},\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

const sharedCode = (): string =>
  Object.entries(shared)
    .map(([name, schema]) => `const ${name} = ${wholeCodeOf(partsOf(objectWithoutPersonal(schema)))} as const;\n`)
    .join('\n');

const nameOf = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

/**
 * The fields of events without personal data, as code. The publisher needs nothing else of the contract. So it does not load
 * zod, which took 12 % of its cold start.
 */
export const publicFieldsCode = (): string => `import type { EventType } from '../contract/events.ts';

/** What events have of a value where personal data is left out: a text, number or boolean, these fields, or this of each entry. */
export type PublicParts = true | readonly [PublicParts] | { readonly [field: string]: PublicParts };

${sharedCode()}
/** What the details of events have then, by the type of event. \`npm run contract\` writes this file. */
export const publicFields: Readonly<Record<EventType, Readonly<Record<string, PublicParts>>>> = ${codeOf(mapValues(eventSchemasFor('leave-out'), partsOf))};
`;
