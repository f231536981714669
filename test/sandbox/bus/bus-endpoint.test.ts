import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { busEndpoint } from '../../../sandbox/bus/bus-endpoint.ts';
import type { Envelope } from '../../../sandbox/bus/envelope.ts';
import { createFaultBoard, type FaultBoard } from '../../../sandbox/faults/fault-board.ts';
import { serveForTest } from '../../support/sandbox-endpoint.ts';

let events: Envelope[];
let board: FaultBoard;
let client: EventBridgeClient;
let close: () => Promise<void>;
let drawn: number[];

beforeEach(async () => {
  events = [];
  drawn = [];
  board = createFaultBoard(() => drawn.shift() ?? 0);
  const bus = { name: 'callfeed', onEvents: (more: readonly Envelope[]) => void events.push(...more) };
  const served = await serveForTest(busEndpoint(bus, board));
  client = new EventBridgeClient(served.client);
  close = served.close;
});
afterEach(async () => {
  client.destroy();
  await close();
});

const entry: PutEventsRequestEntry = {
  Source: 'callfeed',
  DetailType: 'Call Summary Recorded',
  Detail: '{"a":1}',
  EventBusName: 'callfeed',
};
const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));

describe('busEndpoint', () => {
  it('makes each entry the event that a subscriber gets', async () => {
    const answer = await put({ ...entry, Time: new Date('2026-11-21T09:00:00.500Z'), Resources: ['arn:x'] });

    expect(events).toEqual([
      {
        version: '0',
        id: answer.Entries?.[0]?.EventId,
        'detail-type': 'Call Summary Recorded',
        source: 'callfeed',
        account: '000000000000',
        time: '2026-11-21T09:00:00Z',
        region: 'local',
        resources: ['arn:x'],
        detail: { a: 1 },
      },
    ]);
  });

  it.each<[string, PutEventsRequestEntry, string]>([
    ['without a source', { ...entry, Source: undefined }, 'InvalidArgument'],
    ['without a detail type', { ...entry, DetailType: '' }, 'InvalidArgument'],
    ['without a detail', { ...entry, Detail: undefined }, 'InvalidArgument'],
    ['whose detail is not JSON', { ...entry, Detail: '{' }, 'MalformedDetail'],
    ['whose detail is not an object', { ...entry, Detail: '[1]' }, 'MalformedDetail'],
    ['with a source of AWS', { ...entry, Source: 'aws.ec2' }, 'NotAuthorizedForSourceException'],
    ['for another bus', { ...entry, EventBusName: 'other' }, 'ResourceNotFoundException'],
  ])('fails a single entry %s', async (_what, bad, code) => {
    const answer = await put(entry, bad);

    expect(answer.FailedEntryCount).toBe(1);
    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([undefined, code]);
    expect(events).toHaveLength(1);
  });

  it.each([
    ['no entries', []],
    ['eleven entries', Array.from({ length: 11 }, () => entry)],
    ['more than 256 KB', [{ ...entry, Detail: JSON.stringify({ a: 'x'.repeat(262_144) }) }]],
  ])('refuses a request with %s as a whole', async (_what, entries) => {
    await expect(put(...entries)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }));
    expect(events).toEqual([]);
  });

  it('throttles single entries at the rate of the fault', async () => {
    board.set('eventbridge', { mode: 'throttle', rate: 0.5 });
    drawn = [0.9, 0.2, 0.7];

    const answer = await put(entry, entry);

    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual(['ThrottlingException', undefined]);
  });

  it('answers 500 under the fault error', async () => {
    board.set('eventbridge', { mode: 'error', rate: 1 });

    await expect(put(entry)).rejects.toMatchObject({ name: 'InternalException', $metadata: { httpStatusCode: 500 } });
  });
});
