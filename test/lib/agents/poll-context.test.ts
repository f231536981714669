import { describe, expect, it } from 'vitest';
import { type Feed, newFeed } from '../../../lib/agents/feed.ts';
import { emitAgentMetrics, emitNoAnswerMetrics, type PolledAccounts } from '../../../lib/agents/poll-context.ts';
import { agentStateMetrics } from '../../../lib/telemetry/metrics.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

const now = new Date('2026-11-20T06:01:00.000Z');
const floor = (feed: Partial<Feed>) => ({ feed: { ...newFeed('demo', now), ...feed }, agents: new Map() });

const seenAt = (asOf: string, counts: Feed['counts'] = {}) => floor({ asOf, counts });
type Floors = PolledAccounts['known'];
const measured = (floors: Floors, unheardSince: readonly string[] = []) => {
  const telemetry = recordingTelemetry();
  emitAgentMetrics(telemetry, { known: floors, failingSince: unheardSince }, now);
  return telemetry.measured;
};

describe('FeedAgeSeconds', () => {
  it.each<[string, Floors, number[] | undefined]>([
    ['is how old the picture is', [seenAt('2026-11-20T06:00:58.000Z')], [2]],
    ['is that of the oldest picture', [seenAt('2026-11-20T06:00:58.000Z'), seenAt('2026-11-20T05:59:00.000Z')], [120]],
    ['is no less than nothing, where a poll is dated ahead', [seenAt('2026-11-20T06:01:01.000Z')], [0]],
    [
      'goes by the picture, however long polls have failed',
      [floor({ asOf: '2026-11-20T06:00:40.000Z', failingSince: '2026-11-20T06:00:50.000Z' })],
      [20],
    ],
    [
      'counts from the first failure where there never was a picture',
      [floor({ failingSince: '2026-11-20T06:00:30.000Z' }), seenAt('2026-11-20T06:00:58.000Z')],
      [30],
    ],
    [
      'leaves out an account that has neither been seen nor failed',
      [floor({}), seenAt('2026-11-20T06:00:58.000Z')],
      [2],
    ],
    ['leaves out what the run does not know', [undefined, seenAt('2026-11-20T06:00:58.000Z')], [2]],
    ['is not told where nothing is known', [undefined, floor({})], undefined],
    ['is not told where nobody is polled', [], undefined],
  ])('%s', (_title, floors, values) => {
    expect(measured(floors).FeedAgeSeconds).toEqual(values);
  });
});

it('is that of an account which cannot be served, though others are', () => {
  const values = measured([seenAt('2026-11-20T06:00:58.000Z'), undefined], ['2026-11-20T05:58:00.000Z']);

  expect(values.FeedAgeSeconds).toEqual([180]);
});

describe('the agents in each state', () => {
  const asOf = '2026-11-20T06:00:58.000Z';

  it('are added up over all accounts, and told for every state, zeros too', () => {
    const values = measured([seenAt(asOf, { ready: 2, 'in-call': 1 }), seenAt(asOf, { ready: 3, unknown: 4 })]);

    expect(values).toMatchObject({ AgentsReady: [5], AgentsInCall: [1], AgentsUnknown: [4], AgentsPause: [0] });
    expect(Object.keys(values).sort()).toEqual([...agentStateMetrics, 'FeedAgeSeconds'].sort());
  });

  it('are all zeros on an empty floor', () => {
    const { FeedAgeSeconds: _age, ...values } = measured([seenAt(asOf)]);

    expect(Object.values(values)).toEqual(agentStateMetrics.map(() => [0]));
  });

  it('are those of the last picture while polls fail: nobody is logged out by an error', () => {
    expect(measured([floor({ asOf, counts: { ready: 2 }, failingSince: asOf })])).toMatchObject({ AgentsReady: [2] });
  });

  it.each<[string, Floors]>([
    ['one floor is not known', [seenAt(asOf, { ready: 1 }), undefined]],
    ['one floor was never seen', [seenAt(asOf, { ready: 1 }), floor({ failingSince: asOf })]],
    ['nobody is polled', []],
  ])('are not told where %s', (_title, floors) => {
    expect(Object.keys(measured(floors)).filter((name) => name !== 'FeedAgeSeconds')).toEqual([]);
  });
});

describe('tellNoAnswer', () => {
  it.each([
    ['PollsFailed', { PollsFailed: 1, PollsSkipped: 0, PollsSucceeded: 0 }],
    ['PollsSkipped', { PollsFailed: 0, PollsSkipped: 1, PollsSucceeded: 0 }],
  ] as const)('counts a poll among %s, and that it ended in no other way', (ended, counts) => {
    const telemetry = recordingTelemetry();
    emitNoAnswerMetrics(telemetry, ended);

    expect(telemetry.counts).toEqual(counts);
  });

  it('takes nothing away from polls that were answered', () => {
    const telemetry = recordingTelemetry();
    telemetry.count('PollsSucceeded');
    emitNoAnswerMetrics(telemetry, 'PollsFailed');

    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 1, PollsFailed: 1 });
  });
});
