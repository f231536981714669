import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventBridgeBus } from '../../../functions/publish-changes/app.ts';
import type { BusEvent } from '../../../lib/publish/events-of-change.ts';
import { newCall } from '../../support/posted-records.ts';
import { deployedFunction, logLines } from '../../support/run-here.ts';
import { scriptedClient } from '../../support/watched-clients.ts';

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

  it('counts events and skipped rows', async () => {
    const { lines } = await published({ DEPLOYMENT: 'callfeed-x' });

    expect(lines.filter(({ _aws }) => _aws !== undefined)).toMatchObject([
      { deployment: 'callfeed-x', EventsPublished: 1, RowsSkipped: 1 },
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

  it.each([
    ['the bus takes its event', false, ['lastReceivedAt']],
    ['the bus does not take its event', true, ['lastReceivedAt', 'heldUpAt']],
  ])('that came just now says that the publisher is behind only if it is: %s', async (_title, isBusDown, instants) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(String(after?.['lastReceivedAt'])) + 1_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { updates } = await published({}, { isBusDown });

    expect(updates.map(({ UpdateExpression }) => /SET (\w+)/.exec(String(UpdateExpression))?.[1])).toEqual(instants);
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

const event = (id: string): BusEvent => ({
  type: 'Call Summary Recorded',
  key: id,
  detail: { id, recordedAt: '2026-11-20T06:00:01.000Z' },
});

describe('eventBridgeBus', () => {
  it('puts each event with our source, its type and the time it was recorded', async () => {
    const { client, sent } = scriptedClient<EventBridgeClient>(() => ({ Entries: [{ EventId: 'e1' }] }));

    expect(await eventBridgeBus(client, 'bus').publish([event('1')])).toEqual([true]);

    expect(sent[0]?.input).toEqual({
      Entries: [
        {
          EventBusName: 'bus',
          Source: 'callfeed',
          DetailType: 'Call Summary Recorded',
          Time: new Date('2026-11-20T06:00:01.000Z'),
          Detail: '{"id":"1","recordedAt":"2026-11-20T06:00:01.000Z"}',
        },
      ],
    });
  });

  it.each([
    ['one that is rejected', { Entries: [{ EventId: 'e1' }, { ErrorCode: 'ThrottlingException' }] }, [true, false]],
    ['one without an answer', { Entries: [{ EventId: 'e1' }] }, [true, false]],
    ['all, without any answer', {}, [false, false]],
  ])('answers which entries of a successful call are not published: %s', async (_which, answer, published) => {
    const { client } = scriptedClient<EventBridgeClient>(() => answer);

    expect(await eventBridgeBus(client, 'bus').publish([event('1'), event('2')])).toEqual(published);
  });
});
