import type * as z from 'zod';
import { CallSummary, Participant } from '../../lib/contract/call-events.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { asIndexed, indexNamed } from './as-indexed.ts';
import { fieldTable } from './field-table.ts';
import { anchorOf, jsonBlock } from './markdown.ts';
import type { RowGuide } from './row-guides.ts';
import { rowSchemaPath } from './schema-files.ts';
import { type RowName, storedRows } from './stored-rows.ts';

/** Rows that hold all that an event holds of the same thing. */
const told: Readonly<Partial<Record<RowName, z.ZodObject>>> = { Call: CallSummary, CallParticipant: Participant };

/** Rows that are read through an index, by an example of one. */
const indexed: Readonly<Partial<Record<RowName, string>>> = { ListedCall: 'byAgent', AgentInState: 'byState' };

/** What the page says of one kind of row. */
export const rowSection = (name: RowName, { where, says, isExample }: RowGuide, rows: readonly Facts[]): string => {
  const row = rows.find(isExample);
  if (row === undefined) throw new Error(`There is no example of ${name}`);

  const [schema, facts, index] = [storedRows[name], told[name], indexed[name]];
  const title = schema.meta()?.title ?? name;
  const also =
    facts === undefined ? [] : [`And every field of [${facts.meta()?.title}](${anchorOf(facts.meta()?.title ?? '')}).`];
  return [
    `#### ${title}`,
    `${says} It lies ${where.startsWith('in') ? where : `at ${where}`}.`,
    fieldTable(schema, facts?.shape),
    ...also,
    jsonBlock(index === undefined ? row : asIndexed(row, indexNamed(index))),
    `JSON Schema: [${rowSchemaPath(name)}](${rowSchemaPath(name)})`,
  ].join('\n\n');
};
