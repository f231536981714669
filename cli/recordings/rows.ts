import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { recordingsKey } from '../../lib/recordings/recording-keys.ts';
import {
  recordingRow,
  requestedAgain,
  type StoredRecording,
  storedRecordingOf,
} from '../../lib/recordings/recording-row.ts';
import type { RecordingMessage } from '../../lib/recordings/schema.ts';
import { marshalled, unmarshalled } from '../../lib/storage/rows.ts';
import type { Deployment } from '../connection/deployment.ts';
import { storeDeadline } from '../rows.ts';

/** The recordings of a call as they are stored now. */
export const storedRecordings = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  call: RecordingMessage,
): Promise<readonly StoredRecording[]> => {
  const query = {
    TableName: tables.calls,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: marshalled({ ':pk': recordingsKey(call) }),
  };
  const found: StoredRecording[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, query))
    found.push(...Items.map((item) => storedRecordingOf(unmarshalled(item))));
  return found;
};

/** Lets the recordings of a call that were given up wait again, as if they were new. Resolves with how many. */
export const retryRecordings = async (
  deployment: Pick<Deployment, 'dynamodb' | 'tables'>,
  call: RecordingMessage,
  now: string,
): Promise<number> => {
  const rows = dynamoVersionedRows(deployment.dynamodb, deployment.tables.calls);
  let count = 0;
  for (const stored of await storedRecordings(deployment, call)) {
    if (stored.recording.status !== 'given-up') continue;
    const row = recordingRow(requestedAgain(stored, now));
    const result = await rows.putNextVersion(row, { puts: [], removes: [] }, storeDeadline());
    if (result.kind === 'rejected') throw new Error('The table rejects the row as it would be.');
    if (result.kind === 'written') count += 1;
  }
  return count;
};
