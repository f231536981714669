import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createHandler } from '../../../functions/publish-changes/handler.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';
import { publishChanges } from '../../../lib/publish-changes.ts';
import { admit, type CallRecord } from '../../../lib/record/record.ts';
import { rowOf } from '../../../lib/record/row.ts';
import { deliveryFrom, summaryWith } from '../../support/deliveries.ts';

/** The record after the summary with these fields, and how the stream tells of it. */
const change = (sequence: string, fields: object, before?: CallRecord) => {
  const { key, delivery } = deliveryFrom(summaryWith(fields), `2026-11-20T06:00:0${sequence}.000Z`);
  const { record } = admit(key, before, delivery, '2026-11-20T06:00:09.000Z');
  const image = (of: CallRecord) => marshall(rowOf(of, 9));
  const told = {
    dynamodb: { SequenceNumber: sequence, NewImage: image(record), ...(before && { OldImage: image(before) }) },
  };
  return { record, told };
};

/** The publisher as deployed, over a bus that refuses what the test says. */
const setUp = () => {
  const published: BusEvent[] = [];
  const refused = new Set<string>();
  const telemetry = jsonTelemetry({ function: 'publish-changes', deployment: 'test' }, () => undefined);
  const bus = {
    publish: async (events: readonly BusEvent[]) =>
      events.map((event) => {
        const takes = !refused.has(String(event.detail['callId']));
        if (takes) published.push(event);
        return takes;
      }),
  };
  const handler = createHandler({ telemetry, publish: publishChanges({ bus, telemetry, clock: () => new Date() }) });
  const handle = (...records: object[]) => handler({ Records: records } as DynamoDBStreamEvent, {} as Context);
  return { published, refused, handle };
};

describe('publish-changes', () => {
  it('publishes a new call and its revision with what changed', async () => {
    const { published, handle } = setUp();
    const first = change('1', {});
    const second = change('2', { Disposition: 'Sale' }, first.record);

    expect(await handle(first.told, second.told)).toEqual({ batchItemFailures: [] });

    expect(published.map(({ type, detail }) => [type, detail['revision'], detail['changedFields']])).toEqual([
      ['Call Summary Recorded', 1, undefined],
      ['Call Summary Revised', 2, ['dispositions']],
    ]);
  });

  it('asks for the batch again from the first change that the bus refused, and then sends no other twice', async () => {
    const { published, refused, handle } = setUp();
    const told = ['1', '2', '3'].map((id) => change(id, { monitorUCID: id }).told);
    refused.add('2');

    expect(await handle(...told)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    refused.clear();
    expect(await handle(...told.slice(1))).toEqual({ batchItemFailures: [] });

    expect(published.map(({ detail }) => detail['callId'])).toEqual(['1', '3', '2']);
  });

  it('publishes nothing for a row that expires', async () => {
    const { published, handle } = setUp();
    const { told } = change('1', {});

    await handle({ dynamodb: { SequenceNumber: '2', OldImage: told.dynamodb.NewImage } });

    expect(published).toEqual([]);
  });
});
