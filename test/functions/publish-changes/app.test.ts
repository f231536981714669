import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createPublishHandler } from '../../../functions/publish-changes/app.ts';
import type { CallRecord } from '../../../lib/calls/call-record.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import type { BusEvent } from '../../../lib/publish/events-of-change.ts';
import { publishChanges } from '../../../lib/publish/publish-changes.ts';
import { keyedDelivery, newCall, summaryWith } from '../../support/call-records.ts';
import { deployedFunction, logLines } from '../../support/deployed-function.ts';

/** The record after the summary with these fields, and how the stream tells of it. */
const change = (sequence: string, fields: object, before?: CallRecord) => {
  const { key, delivery } = keyedDelivery(summaryWith(fields), `2026-11-20T06:00:0${sequence}.000Z`);
  const { record } = applyDeliveries(key, before, [delivery], '2026-11-20T06:00:09.000Z');
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
  const handler = createPublishHandler({
    telemetry,
    publish: publishChanges({ bus, telemetry, clock: () => new Date() }),
  });
  const handle = (...records: object[]) => handler({ Records: records } as DynamoDBStreamEvent, {} as Context);
  return { published, refused, handle };
};

describe('publish-changes', () => {
  it('publishes a new call and its revision with the changed fields', async () => {
    const { published, handle } = setUp();
    const first = change('1', {});
    const second = change('2', { Disposition: 'Sale' }, first.record);

    expect(await handle(first.told, second.told)).toEqual({ batchItemFailures: [] });

    expect(published.map(({ type, detail }) => [type, detail['revision'], detail['changedFields']])).toEqual([
      ['Call Summary Recorded', 1, undefined],
      ['Call Summary Revised', 2, ['dispositions']],
    ]);
  });

  it('asks for a retry from the first change that the bus rejected, and then sends no other event twice', async () => {
    const { published, refused, handle } = setUp();
    const told = ['1', '2', '3'].map((id) => change(id, { monitorUCID: id }).told);
    refused.add('2');

    expect(await handle(...told)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    refused.clear();
    expect(await handle(...told.slice(1))).toEqual({ batchItemFailures: [] });

    expect(published.map(({ detail }) => detail['callId'])).toEqual(['1', '3', '2']);
  });
});

const { after } = newCall(1, { status: 'answered', timeZone: 'UTC', customerNumber: '09000000042' });
const batch = {
  Records: [
    { dynamodb: { SequenceNumber: '1', NewImage: marshall(after) } },
    { dynamodb: { SequenceNumber: '2', NewImage: marshall({ kind: 'call', pk: 'not ours' }) } },
  ],
};

/** What the publisher puts on the bus with an environment, and what it writes. */
const published = async (
  environment: Readonly<Record<string, string>>,
  { isTableDown = false, isBusDown = false } = {},
) => {
  const entries: unknown[] = [];
  const updates: Readonly<Record<string, unknown>>[] = [];
  const { invoke, output } = await deployedFunction(
    'publish-changes',
    (operation, input) => {
      if (operation === 'UpdateItem') {
        if (!isTableDown) updates.push(input);
        return isTableDown ? undefined : {};
      }
      entries.push(...Object(input['Entries']));
      return isBusDown ? undefined : { FailedEntryCount: 0, Entries: [{ EventId: '1' }] };
    },
    environment,
  );
  expect(await invoke(batch)).toEqual({ batchItemFailures: isBusDown ? [{ itemIdentifier: '1' }] : [] });
  return { entries: JSON.stringify(entries), updates, lines: logLines(output()) };
};

describe('publish-changes, as deployed', () => {
  it.each([
    ['keeps personal data by default', {}, true],
    ['keeps personal data if it is set to', { PERSONAL_FIELDS: 'keep' }, true],
    ['leaves personal data out if it is set to', { PERSONAL_FIELDS: 'leave-out' }, false],
  ])('%s', async (_title, environment, isKept) => {
    const { entries } = await published(environment);

    expect(entries).toContain('Call Summary Recorded');
    expect(entries.includes('09000000042')).toBe(isKept);
  });

  it('measures the lag of events, and counts skipped rows', async () => {
    const { lines } = await published({ DEPLOYMENT: 'callfeed-x' });
    const lag = (Date.now() - Date.parse(String(after?.['recordedAt']))) / 1_000;

    expect(lines.filter(({ _aws }) => _aws !== undefined)).toMatchObject([
      { deployment: 'callfeed-x', EventsPublished: 1, RowsSkipped: 1, PublishLagSeconds: expect.closeTo(lag, -2) },
    ]);
  });
});

describe('the latest callback, as deployed', () => {
  it('is dated in its row of the agents’ table, and a publisher that is behind says so', async () => {
    const { updates } = await published({});

    expect(updates.map(({ TableName, Key }) => [TableName, Key])).toEqual(
      Array(2).fill(['agents', { pk: { S: 'demo#callbacks' }, sk: { S: 'callbacks' } }]),
    );
    // The call of this batch was received long ago.
    expect(updates.map(({ ConditionExpression }) => ConditionExpression)).toEqual([
      'attribute_not_exists(lastReceivedAt) OR lastReceivedAt < :at',
      'attribute_not_exists(heldUpAt) OR heldUpAt < :at',
    ]);
    expect(updates[0]?.['ExpressionAttributeValues']).toMatchObject({ ':at': { S: after?.['lastReceivedAt'] } });
  });

  it.each<[string, { readonly isTableDown?: boolean; readonly isBusDown?: boolean }, string]>([
    ['the table is down: events are published all the same', { isTableDown: true }, 'agent-store'],
    ['the bus is down: the callback came', { isBusDown: true }, 'bus'],
  ])('where %s', async (_title, down, where) => {
    const { entries, updates, lines } = await published({}, down);

    expect(entries).toContain('Call Summary Recorded');
    expect(updates).toHaveLength(down.isTableDown ? 0 : 2);
    expect(lines.filter(({ level }) => level === 'error').map((line) => line['where'])).toContain(where);
  });
});
