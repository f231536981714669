import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { erasedRecording, recordingRow, type StoredRecording } from '../../lib/recordings/recording-row.ts';
import type { RecordingMessage } from '../../lib/recordings/schema.ts';
import type { Deployment } from '../connection/deployment.ts';
import { storeDeadline } from '../rows.ts';
import { recordingsOf } from './objects.ts';
import { storedRecordings } from './rows.ts';

/** What erasing recordings needs of a deployment. */
type Store = Pick<Deployment, 'dynamodb' | 'tables' | 'recordings'>;

const isLeft = ({ recording }: StoredRecording): boolean => recording.status !== 'erased';

/** How many recordings of a call are not erased yet. */
export const countRecordings = async (store: Store, call: RecordingMessage): Promise<number> =>
  (await storedRecordings(store, call)).filter(isLeft).length;

/**
 * Erases the recordings of a call: the row of each says so, and then its object goes. A run of the function that is about to
 * write the object sees the row. Doing it again deletes what an interruption left. Resolves with how many rows changed.
 */
export const eraseRecordings = async (store: Store, call: RecordingMessage, now: () => Date): Promise<number> => {
  const all = await storedRecordings(store, call);
  if (all.length === 0) return 0;
  const { s3, bucket } = recordingsOf(store);
  const rows = dynamoVersionedRows(store.dynamodb, store.tables.calls);
  let count = 0;
  let conflicts = 0;
  for (const stored of all) {
    if (isLeft(stored)) {
      const row = recordingRow(erasedRecording(stored, now().toISOString()));
      const { kind } = await rows.putNextVersion(row, { puts: [], removes: [] }, storeDeadline());
      if (kind === 'rejected') throw new Error('The table rejects the row as it would be.');
      if (kind === 'conflict') {
        conflicts += 1;
        continue;
      }
      count += 1;
    }
    const { objectKey: Key, bucket: Bucket = bucket } = stored.recording;
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  }
  return conflicts === 0 ? count : count + (await eraseRecordings(store, call, now));
};
