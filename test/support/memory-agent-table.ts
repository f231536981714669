import { writtenOrConflict } from '../../functions/adapters/dynamo-agent-table.ts';
import type { RowChange } from '../../lib/publish/row-change.ts';
import type { AgentTable, Row } from '../../lib/storage/rows.ts';
import { byBytes, checkKeys, type RowWrite, rejectIf } from '../deployment/memory-dynamodb/limits.ts';
import { copyOf, memoryVersionedRows, putOf, removalOf } from './memory-versioned-rows.ts';

/** What a test may do with the table while it is used. */
export interface MemoryAgentTableOptions {
  /**
   * Called before and after each read and each effect, as `before write`, `after write`, `before put` and so on. Rows
   * that are put or removed together are an effect each, so an error that it throws aborts the work at any place.
   */
  readonly onCall?: (operation: string) => void | Promise<void>;
  /** The order in which rows that are put or removed together take effect: none is promised. */
  readonly order?: <Item>(items: readonly Item[]) => readonly Item[];
}

const neverAborted = new AbortController().signal;

/** An agents' table in memory, within the limits of DynamoDB, and the stream that DynamoDB would give. */
export const memoryAgentTable = ({ onCall, order = (items) => items }: MemoryAgentTableOptions = {}) => {
  const stream: RowChange[] = [];
  const rows = memoryVersionedRows((before, after) => {
    stream.push({ sequence: String(stream.length + 1).padStart(12, '0'), before, after });
  });

  const around = async <Outcome>(operation: string, effect: () => Outcome): Promise<Awaited<Outcome>> => {
    await onCall?.(`before ${operation}`);
    const outcome = await effect();
    await onCall?.(`after ${operation}`);
    return outcome;
  };

  const applyEach = async (operation: string, writes: readonly RowWrite[]) => {
    checkKeys(writes);
    for (const write of order(writes)) await around(operation, () => rows.apply(write));
  };

  const table: AgentTable = {
    async query(pk, between) {
      rejectIf(between?.from === '' || between?.to === '', 'A bound is empty');
      rejectIf(between !== undefined && byBytes(between.from, between.to) > 0, 'The bounds are the wrong way round');
      const isWithin = (sk: string) =>
        between === undefined || (byBytes(between.from, sk) <= 0 && byBytes(sk, between.to) <= 0);
      return around('rows', () => rows.select((key) => key.pk === pk && isWithin(key.sk)));
    },
    write: (row, alongside = { puts: [], removes: [] }) =>
      around('write', async () => writtenOrConflict(await rows.putNextVersion(row, alongside, neverAborted))),
    put: async (put) => applyEach('put', put.map(putOf)),
    remove: async (keys) => applyEach('remove', keys.map(removalOf)),
  };

  return {
    ...table,
    /** Every row, by partition and sort key. */
    all: (): readonly Row[] => rows.select(),
    /** Every change of a row so far, in order, as the table's stream has it. */
    changes: (): readonly RowChange[] => copyOf(stream),
  };
};
