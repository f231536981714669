import { describe, expect, it } from 'vitest';
import { marshalled } from '../../lib/storage/rows.ts';
import { createEventLog, type DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { createPlayedRows } from '../../sandbox/stream/played-rows.ts';
import { filterChanges } from '../../sandbox/stream/stream-reader.ts';

const call = (version: number, recordedAt: string) =>
  marshalled({ pk: 'demo#1', sk: 'call', kind: 'call', version, recordedAt });

/** The rows that a publisher gets, by their versions. */
const published = async (images: readonly ReturnType<typeof call>[], played = createPlayedRows()) => {
  const got: unknown[] = [];
  const invoke = filterChanges({ kinds: ['call'], played }, async ({ Records }) => {
    got.push(...Records.map(({ dynamodb }) => dynamodb?.NewImage?.['version']?.N));
  });
  const Records = images.map((NewImage) => ({ dynamodb: { NewImage } }));
  await invoke({ Records } as Parameters<typeof invoke>[0]);
  return got;
};

describe('rows whose events are published already', () => {
  it('are not published by the stream that shows their write, and later writes of them are', async () => {
    const played = createPlayedRows();
    played.add(call(2, '2026-11-20T05:00:00.000Z'));

    const later = [call(3, '2026-11-20T05:04:00.000Z'), call(2, '2026-11-21T09:00:00.000Z')];
    expect(await published([call(2, '2026-11-20T05:00:00.000Z'), ...later], played)).toEqual(['3', '2']);
  });

  it('are none where nothing was played', async () => {
    expect(await published([call(1, '2026-11-20T05:00:00.000Z')])).toEqual(['1']);
  });
});

describe('the events of a sandbox', () => {
  const event = (id: string, time: string): DeliveredEvent => ({
    version: '0',
    id,
    'detail-type': 'Call Summary Recorded',
    source: 'callfeed',
    account: '000000000000',
    time,
    region: 'local',
    resources: [],
    detail: {},
  });
  const came = [
    event('today', '2026-11-29T10:00:00Z'),
    event('a week ago', '2026-11-22T10:00:00Z'),
    event('at the same time', '2026-11-29T10:00:00Z'),
  ];
  const idsIn = (order: { byTime: boolean } | undefined) => {
    const log = createEventLog(undefined, order);
    log.append(came);
    return log.lines().map((line) => JSON.parse(line).id);
  };

  it('are in the order in which they came, and in a demonstration in that of their time', () => {
    expect(idsIn(undefined)).toEqual(['today', 'a week ago', 'at the same time']);
    expect(idsIn({ byTime: true })).toEqual(['a week ago', 'today', 'at the same time']);
  });
});
