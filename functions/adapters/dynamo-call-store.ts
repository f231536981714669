import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CallStore, Clock } from '../../lib/ports.ts';
import { admit, type CallRecord } from '../../lib/record/record.ts';
import { recordOf } from '../../lib/record/row.ts';
import { tellable } from '../../lib/tellable.ts';
import { unmarshalled } from './marshalling.ts';
import { writeRecord } from './write-record.ts';

/** Where calls are kept, and for how many days. */
export interface CallStoreSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
  readonly clock: Clock;
}

/** Deliveries of one call that come at once write in turn; more rivals than this is a fault. */
const maxTurns = 20;

/**
 * The calls' table. A new call costs one conditional write. If the row is there already, the refused write answers it:
 * a repeat is known from it without a read, a revision is written over that very version or tried again.
 */
export const dynamoCallStore = (settings: CallStoreSettings): CallStore => ({
  async record(key, delivery, abortSignal) {
    let known: CallRecord | undefined;

    for (let turn = 0; turn < maxTurns; turn++) {
      const { outcome, record } = admit(key, known, delivery, settings.clock().toISOString());
      if (record === known) return outcome;

      const put = await writeRecord(settings, { record, replaces: known, abortSignal });
      if (put.kind === 'refused') return 'refused';
      if (put.kind === 'written') return outcome;
      known = put.row && recordOf(unmarshalled(put.row));
    }
    throw tellable(`The row was changed by others ${maxTurns} times in a row`);
  },
});
