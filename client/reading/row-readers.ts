import type * as z from 'zod';
import * as contract from '../../lib/contract/rows.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { openToAdditions } from './open-to-additions.ts';
import { UnreadableRow } from './unreadable-row.ts';

/** Reads a kind of row: without its keys, and without what a later version has added. Throws an UnreadableRow. */
const readerOf = <Schema extends z.ZodType>(name: keyof typeof contract.rows, declared: Schema) => {
  const schema = openToAdditions(declared);
  return (row: Facts): z.output<Schema> => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    // Deeper in a field, names may be data: those of what was sent beside the documented fields are.
    throw new UnreadableRow(name, [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'row')))]);
  };
};

export const readCall = readerOf('Call', contract.Call);
export const readCallParticipant = readerOf('CallParticipant', contract.CallParticipant);
export const readListedCall = readerOf('ListedCall', contract.ListedCall);
export const readAgentNow = readerOf('AgentNow', contract.AgentNow);
export const readAgentInState = readerOf('AgentInState', contract.AgentInState);
export const readFeedNow = readerOf('FeedNow', contract.FeedNow);
export const readAgentStretch = readerOf('AgentStretch', contract.AgentStretch);
export const readPastFloor = readerOf('PastFloor', contract.PastFloor);
