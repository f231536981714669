import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { lambdaImage } from './lambda-image.ts';

/** A change as read from a stream, in the shape in which Lambda hands it to a function. */
export const lambdaRecord = (record: StreamRecord, streamArn: string): DynamoDBRecord => {
  const { eventID = '', eventName, eventVersion = '1.1', awsRegion = '', dynamodb = {} } = record;
  const { Keys, NewImage, OldImage, SequenceNumber = '', SizeBytes, StreamViewType } = dynamodb;
  const createdAt = dynamodb.ApproximateCreationDateTime;

  return {
    eventID,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion,
    eventSourceARN: streamArn,
    ...(eventName !== undefined && { eventName }),
    dynamodb: {
      SequenceNumber,
      ...(createdAt !== undefined && { ApproximateCreationDateTime: createdAt.getTime() / 1000 }),
      ...(Keys !== undefined && { Keys: lambdaImage(Keys) }),
      ...(NewImage !== undefined && { NewImage: lambdaImage(NewImage) }),
      ...(OldImage !== undefined && { OldImage: lambdaImage(OldImage) }),
      ...(SizeBytes !== undefined && { SizeBytes }),
      ...(StreamViewType !== undefined && { StreamViewType }),
    },
  };
};
