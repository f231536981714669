import type { SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import { localRegion } from '../local-client.ts';
import { type Message, type MessageAttributes, md5 } from './message.ts';
import { systemAttributes } from './receive-operations.ts';
import { queueArn } from './sqs-endpoint.ts';

const attributesOf = (attributes: MessageAttributes): SQSMessageAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  );

/** A received message in the shape in which Lambda hands it to a function. */
export const sqsRecord = (queueName: string, message: Message): SQSRecord => ({
  messageId: message.id,
  receiptHandle: message.receipt ?? '',
  body: message.body,
  attributes: systemAttributes(message),
  messageAttributes: attributesOf(message.attributes),
  md5OfBody: md5(message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queueName),
  awsRegion: localRegion,
});
