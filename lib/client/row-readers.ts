import * as z from 'zod';
import * as contract from '../contract/rows.ts';
import type { Facts } from '../core/objects.ts';

type Schema = z.core.$ZodType;

/**
 * A declaration that passes over fields which it does not know, at any depth: a later version may have added them to a
 * row, and to what is in it.
 */
export const openToAdditions = <Declared extends Schema>(schema: Declared): Declared => {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, openToAdditions(field)] as const);
    return schema.clone({ ...schema.def, shape: Object.fromEntries(fields), catchall: undefined });
  }
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: openToAdditions(schema.element) });
  if (schema instanceof z.ZodOptional)
    return schema.clone({ ...schema.def, innerType: openToAdditions(schema.unwrap()) });
  if (schema instanceof z.ZodReadonly)
    return schema.clone({ ...schema.def, innerType: openToAdditions(schema.unwrap()) });
  return schema;
};

/**
 * A row is not as this version of the client declares it: it was written by something else, or by a version of Callfeed
 * that changed the meaning of fields. Names the kind of row and its fields, and never a value.
 */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  /** The kind of row, by its name in the contract, such as `AgentNow`. */
  readonly row: string;
  /** The fields that are not as declared. */
  readonly fields: readonly string[];

  constructor(row: string, fields: readonly string[]) {
    super(`A row ${row} is not as this version of the client declares it: ${fields.join(', ')}`);
    this.row = row;
    this.fields = fields;
  }
}

/** Reads a kind of row: without its keys, and without what a later version has added. Throws an UnreadableRow. */
const rowReader = <Schema extends z.ZodType>(name: keyof typeof contract.rows, declared: Schema) => {
  const schema = openToAdditions(declared);
  return (row: Facts): z.output<Schema> => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    // Deeper in a field, names may be data: those of what was sent beside the documented fields are.
    throw new UnreadableRow(name, [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'row')))]);
  };
};

export const readCall = rowReader('Call', contract.Call);
export const readCallParticipant = rowReader('CallParticipant', contract.CallParticipant);
export const readListedCall = rowReader('ListedCall', contract.ListedCall);
export const readAgentNow = rowReader('AgentNow', contract.AgentNow);
export const readAgentInState = rowReader('AgentInState', contract.AgentInState);
export const readFeedNow = rowReader('FeedNow', contract.FeedNow);
export const readAgentInterval = rowReader('AgentInterval', contract.AgentInterval);
export const readSnapshotPart = rowReader('FloorSnapshot', contract.FloorSnapshot);
