import { describe, expect, it } from 'vitest';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';

describe('lambdaRecord', () => {
  it('is the JSON that Lambda hands to a function', () => {
    const bytes = new Uint8Array([1, 2, 255]);
    const record = lambdaRecord(
      {
        eventID: 'e1',
        eventName: 'MODIFY',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'ddblocal',
        dynamodb: {
          ApproximateCreationDateTime: new Date('2026-11-21T09:00:00Z'),
          Keys: { pk: { S: 'a' } },
          NewImage: {
            B: { B: bytes },
            BS: { BS: [bytes] },
            L: { L: [{ M: { inner: { B: bytes } } }] },
            N: { N: '12345678901234567890' },
            NS: { NS: ['1'] },
            SS: { SS: ['a'] },
            BOOL: { BOOL: false },
            NULL: { NULL: true },
          },
          SequenceNumber: '000000000000000000001',
          SizeBytes: 7,
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
      },
      'arn:stream',
    );

    expect(JSON.parse(JSON.stringify(record))).toEqual({
      eventID: 'e1',
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'ddblocal',
      eventSourceARN: 'arn:stream',
      dynamodb: {
        ApproximateCreationDateTime: 1_795_251_600,
        Keys: { pk: { S: 'a' } },
        NewImage: {
          B: { B: 'AQL/' },
          BS: { BS: ['AQL/'] },
          L: { L: [{ M: { inner: { B: 'AQL/' } } }] },
          N: { N: '12345678901234567890' },
          NS: { NS: ['1'] },
          SS: { SS: ['a'] },
          BOOL: { BOOL: false },
          NULL: { NULL: true },
        },
        SequenceNumber: '000000000000000000001',
        SizeBytes: 7,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
  });

  it('has an empty map where DynamoDB Local says nothing of one', () => {
    const record = lambdaRecord({ dynamodb: { NewImage: { counts: Object({}) } } }, 'arn:stream');

    expect(record.dynamodb?.NewImage).toEqual({ counts: { M: {} } });
  });
});
