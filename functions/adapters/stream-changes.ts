import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { type Item, unmarshalled } from '../../lib/storage/rows.ts';

export const changesIn = (records: readonly DynamoDBRecord[]): readonly RowChange[] =>
  records.flatMap(({ dynamodb }) => (dynamodb ? changeOf(dynamodb) : []));

/** The types of Lambda's events differ from the SDK's only in binary values, which our rows do not have. */
const changeOf = ({
  SequenceNumber = '',
  ApproximateCreationDateTime: seconds,
  OldImage,
  NewImage,
}: StreamRecord): RowChange => ({
  sequence: SequenceNumber,
  writtenMs: seconds && seconds * 1000,
  before: OldImage && unmarshalled(OldImage as Item),
  after: NewImage && unmarshalled(NewImage as Item),
});
