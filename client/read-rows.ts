import * as z from 'zod/mini';
import { $ZodObject } from 'zod/v4/core';
import * as contract from '../lib/contract/rows.ts';
import { withInner } from '../lib/storage/field.ts';
import type { Row } from '../lib/storage/rows.ts';

/** The schema, open at any depth: it ignores fields that a later version may have added. */
const openToAdditions = <Declared extends z.core.$ZodType>(schema: Declared): Declared => {
  const opened = withInner(schema, openToAdditions) ?? schema;
  return opened instanceof $ZodObject ? z.clone(opened, { ...opened._zod.def, catchall: undefined }) : opened;
};

/**
 * Thrown for a row that is not as this version of the client declares it. Something else wrote it, or a version of
 * Callfeed that changed its fields. Names the kind of row and the fields, and never a value.
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

/** Makes a reader of one kind of row, without keys and unknown fields. It throws an UnreadableRow. */
export const rowReader = <Schema extends z.ZodMiniType>(name: keyof typeof contract.rows, declared: Schema) => {
  const schema = openToAdditions(declared);
  return (row: Row): z.output<Schema> => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    // Only top-level names: deeper ones may be the sender's data, such as undocumented fields.
    throw new UnreadableRow(name, [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'row')))]);
  };
};

export const readStoredCall = rowReader('Call', contract.Call);
export const readCallParticipant = rowReader('CallParticipant', contract.CallParticipant);
export const readListedCall = rowReader('ListedCall', contract.ListedCall);
export const readAgentNow = rowReader('AgentNow', contract.AgentNow);
export const readAgentInState = rowReader('AgentInState', contract.AgentInState);
export const readFeedNow = rowReader('FeedNow', contract.FeedNow);
export const readAgentInterval = rowReader('AgentInterval', contract.AgentInterval);
export const readSnapshotPart = rowReader('FloorSnapshot', contract.FloorSnapshot);
export const readSnapshotCounts = rowReader('FloorSnapshot', z.omit(contract.FloorSnapshot, { agents: true }));
export const readFeedChange = rowReader('FeedChange', contract.FeedChange);
