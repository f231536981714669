import type { FirehoseTransformationEvent } from 'aws-lambda';

/** What Firehose sends to the function that makes rows, for events as EventBridge delivers them. */
export const firehoseEvent = (events: readonly unknown[]): FirehoseTransformationEvent => ({
  invocationId: '00000000-0000-0000-0000-000000000000',
  deliveryStreamArn: 'arn:aws:firehose:eu-west-1:111122223333:deliverystream/callfeed',
  region: 'eu-west-1',
  records: events.map((event, index) => ({
    recordId: String(index),
    approximateArrivalTimestamp: Date.parse('2026-11-20T06:00:00Z'),
    data: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)).toString('base64'),
  })),
});
