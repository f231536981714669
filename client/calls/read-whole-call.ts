import { partitionKey, rowKey } from '../../lib/record/row-keys.ts';
import type { WholeCall } from '../call-lists.ts';
import { readCall, readCallParticipant } from '../reading/row-readers.ts';
import { tableKey } from '../reading/table-keys.ts';
import { allRows, type TableReader } from '../reading/table-reader.ts';

/** A call's legs and participants by one query; undefined if nothing is known of it. */
export const readWholeCall = async (
  table: TableReader,
  account: string,
  callId: string,
): Promise<WholeCall | undefined> => {
  const rows = await allRows(table, { ...tableKey, partition: partitionKey(account, callId) });
  const ofKind = (kind: 'call' | 'participant') => {
    const { sk: prefix } = rowKey({ kind, account, callId, part: '' });
    return rows.filter(({ sk }) => String(sk).startsWith(prefix));
  };
  const legs = ofKind('call').map(readCall);
  const participants = ofKind('participant').map(readCallParticipant);
  return legs.length + participants.length === 0 ? undefined : { legs, participants };
};
